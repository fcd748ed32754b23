import numpy as np
import pytest

from machines import full_machine, random_body
from taut.build.tree import ColumnSpec, Spring, TreeBuilder
from taut.model.enums import ClosureKind, JointKind, LawKind

pytestmark = pytest.mark.nojit


@pytest.fixture
def builder():
    """Two trees, named out of order, and two closures between them and the world."""
    rng, tree = np.random.default_rng(0), TreeBuilder()
    first = tree.add_node("first", JointKind.REVOLUTE, body=random_body(rng))
    second = tree.add_node("second", JointKind.FREE, body=random_body(rng))
    tree.add_node("leaf", JointKind.PLANAR, first, random_body(rng), columns=[ColumnSpec()] * 3)
    tree.add_closure("pin", ClosureKind.REVOLUTE, (first, second), (np.zeros(3),) * 2)
    tree.add_closure("slot", ClosureKind.POINT, (0, second), (np.zeros(3),) * 2, directions=(True, False, True))
    return tree


def test_nodes_come_tree_by_tree(builder):
    model = builder.finish()
    assert model.names.nodes == ("world", "first", "leaf", "second")
    assert model.tables.nodes.parent.tolist() == [0, 0, 1, 0]
    assert model.tables.nodes.subsystem.tolist() == [-1, 0, 0, 1]


def test_columns_and_coordinates_are_numbered_together(builder):
    model = builder.finish()
    assert model.tables.nodes.column.tolist() == [0, 0, 1, 4]
    assert model.tables.nodes.coordinate.tolist() == [0, 0, 1, 4]
    assert (model.coordinate_count, model.column_count) == (11, 10)
    assert model.names.columns[:5] == ("first", "leaf.x", "leaf.z", "leaf.angle", "second.x")


def test_rows_are_named_and_listed_by_subsystem(builder):
    model = builder.finish()
    subsystems, lists = model.tables.subsystems, model.tables.row_lists
    rows = [lists[s.row_list : s.row_list + s.row_count].tolist() for s in subsystems]
    assert model.names.rows == ("pin.x", "pin.y", "pin.z", "pin.axis1", "pin.axis2", "slot.x", "slot.z")
    assert rows == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5, 6]]
    assert subsystems.end_count.tolist() == [1, 2]


def test_internal_states_start_relaxed():
    tree, solid = TreeBuilder(), Spring(LawKind.STANDARD_LINEAR_SOLID, 1.0, free=0.2, parameters=(1.0, 1.0))
    body = random_body(np.random.default_rng(0))
    tree.add_node("slider", JointKind.PRISMATIC, body=body, columns=[ColumnSpec(solid)], position=[0.5])
    model = tree.finish()
    assert model.state_count == 1
    assert model.start_states == pytest.approx([0.3])


def test_model_is_read_only():
    model = full_machine(0)
    tables = [table for table in model.tables if isinstance(table, np.ndarray)]
    starts = (model.start_coordinates, model.start_velocities, model.start_states)
    for table in (*tables, *model.tables.reduced, *starts):
        assert not table.flags.writeable


def test_digest_sees_every_number(builder):
    digest = builder.finish().digest()
    assert builder.finish().digest() == digest
    builder.gravity = (0.0, 0.0, -9.80665)
    assert builder.finish().digest() != digest
