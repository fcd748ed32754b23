import csv

import numpy as np
import pytest
import scipy.io
import trimesh

from taut.results.errors import ResultError
from taut.views.export import export_result
from unit.results.synthetic import synthetic_result

RESULT = synthetic_result(samples=13)
RESULT.dataset.attrs["scenario"] = "platform: {mass: 0.5, box: [0.6, 0.8, 0.2]}"


def test_csv_has_every_number_over_time(tmp_path):
    path = export_result(RESULT, tmp_path / "all.csv")
    with path.open(encoding="utf-8", newline="") as file:
        heads, *rows = list(csv.reader(file))
    table = np.array(rows, float)
    assert len(set(heads)) == len(heads) and table.shape[0] == 13
    np.testing.assert_array_equal(table[:, heads.index("platform_position.z [m]")], RESULT["platform_position"][:, 2])
    np.testing.assert_array_equal(table[:, heads.index("cable_tension.C2.3 [N]")], RESULT["cable_tension"][:, 1, 2])


def test_csv_of_some_variables_in_parts(tmp_path, monkeypatch):
    from taut.views.export import csv_table

    monkeypatch.setattr(csv_table, "ROWS", 5)
    path = export_result(RESULT, tmp_path / "some.csv", variables=["energy_kinetic"])
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    np.testing.assert_array_equal(table, np.stack([RESULT.time, RESULT["energy_kinetic"]], axis=1))


def test_mat_file_reads_back(tmp_path):
    found = scipy.io.loadmat(export_result(RESULT, tmp_path / "all.mat"), squeeze_me=True)
    np.testing.assert_array_equal(found["cable_nodes"], RESULT["cable_nodes"])
    assert list(found["names"]["cable"].item()) == ["C1", "C2", "C3", "C4"]
    assert found["units"]["cable_tension"].item() == "N" and found["dims"]["energy_kinetic"].item() == "time"


def test_scene_opens_elsewhere_with_y_up(tmp_path):
    scene = trimesh.load(export_result(RESULT, tmp_path / "moment.glb", time=3.0))
    assert set(scene.geometry) == {"platform", "cables", "exits"}
    pose, _ = scene.graph["platform"]
    x, y, z = RESULT["platform_position"].interp(time=3.0).values
    np.testing.assert_allclose(pose[:3, 3], [x, z, -y], atol=1e-6)
    np.testing.assert_allclose(np.sort(scene.geometry["platform"].extents), [0.2, 0.6, 0.8], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("a.xlsx", {}, "is of no known kind"),
        ("a.csv", {"variables": ["tension"]}, "has no variable 'tension'"),
        ("a.csv", {"variables": ["step_size"]}, "does not run over time"),
        ("none/a.csv", {}, "folder does not exist"),
    ],
)
def test_impossible_exports_are_refused(tmp_path, name, options, reason):
    with pytest.raises(ResultError, match=reason):
        export_result(RESULT, tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []
