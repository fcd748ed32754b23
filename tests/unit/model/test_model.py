import taut


def test_coordinates_are_named_like_columns_with_the_parts_of_quaternions():
    model = taut.build(taut.library.load("mamidi-pick-and-place"))
    names = model.coordinate_names
    assert names[:7] == tuple(f"platform.{part}" for part in ("x", "y", "z", "qw", "qx", "qy", "qz"))
    assert len(set(names)) == len(names) == model.coordinate_count and "" not in names
    assert set(model.names.columns) - set(names) == {"platform.rx", "platform.ry", "platform.rz"}


def test_plain_joints():
    model = taut.build(taut.library.load("double-pendulum"))
    assert model.coordinate_names == model.names.columns
