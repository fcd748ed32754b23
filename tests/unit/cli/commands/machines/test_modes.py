"""What `taut modes` prints: modes without dampers where there are dampers, and rigid motions by their name."""

from taut.cli.commands.machines.modes import _lines

FREE = {
    "name": "crane", "notes": [], "natural_frequencies": [0.2], "damped_frequencies": [0.2], "damping_ratios": [0.0],
    "moves_most": ["load-rope"], "decays": [], "frequencies": [2e-7, 0.2], "shapes": [[1.0, 0.0], [0.0, 1.0]],
    "columns": ["load.rz", "load-rope"],
}  # fmt: skip


def test_without_dampers_the_list_is_given_once():
    held = FREE | {"frequencies": [0.2], "shapes": [[0.0, 1.0]]}
    assert not any("without dampers" in line for line in _lines(held))
    assert any("rigid motion" in line for line in _lines(FREE))


def test_with_dampers_rigid_motions_are_marked():
    text = _lines(FREE | {"damping_ratios": [0.1]})
    assert any("without dampers" in line for line in text)
    assert [line.endswith("load.rz   (rigid motion)") for line in text[-2:]] == [True, False]
