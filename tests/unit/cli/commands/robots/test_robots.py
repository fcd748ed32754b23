"""Commands of robots: answers as JSON, pictures, meshes, exit codes, and one clear message for bad input."""

import json

import numpy as np
import pytest

import taut
from command_line import call as run

POSE = "0.5,0,1.2,0,0,0.1"


@pytest.mark.parametrize(("words", "key"), [
    (("lengths", "ipanema-3", "--pose", POSE, "--pulley", 0.1, "--elastic"), "unstrained_lengths"),
    (("tensions", "ipanema-3", "--pose", POSE, "--method", "lp"), "tensions"),
    (("stiffness", "ipanema-3", "--pose", POSE), "frequencies"),
    (("interference", "ipanema-3", "--pose", POSE, "--obstacle", "5,5,5,6,6,6"), "pair_distances"),
    (("workspace", "crane-3", "--kind", "static", "--region", "z=2", "--grid", 7), "inside"),
    (("workspace", "crane-3", "--kind", "interference-free", "--region", "z=2", "--grid", 7, "--distance", 0.1,
      "--obstacle", "1,1,0,2,2,4", "--trim", 0.1), "question"),
    (("workspace", "crane-3", "--kind", "static", "--region", "z=2", "--grid", 7, "--load", "0,0,-20"), "question"),
    (("interference", "ipanema-3", "--region", "x=-3:3,y=0,z=1.2", "--grid", 5), "nearest"),
])  # fmt: skip
def test_every_command_has_a_table_an_object_and_a_picture(words, key, tmp_path):
    picture = tmp_path / "picture.png"
    table = run(*words, "-o", picture)
    assert table.exit_code == 0 and picture.read_bytes().startswith(b"\x89PNG") and "wrote" in table.stdout
    answer = run(*words, "--json")
    assert answer.exit_code == 0 and key in json.loads(answer.stdout)


def test_pose_and_calibration_undo_lengths(tmp_path):
    lengths = json.loads(run("lengths", "crane-3", "--json").stdout)["lengths"][0]
    found = json.loads(run("pose", "crane-3", "--lengths", ",".join(map(str, lengths)), "--json").stdout)
    assert found["found"][0]["pose"] == pytest.approx([2.5, 1.5, 2.0])
    places = np.random.default_rng(0).uniform([1, 1, 0.5], [5, 4, 3.5], (12, 3))
    rows = ["x,y,z", *(",".join(map(str, place)) for place in places)]
    (tmp_path / "path.csv").write_text("\n".join(rows), encoding="utf-8")
    along = json.loads(run("lengths", "crane-3", "--path", tmp_path / "path.csv", "--json").stdout)["lengths"]
    rows = [f"{row},{','.join(map(str, more))}" for row, more in zip(rows, [["C1", "C2", "C3"], *along], strict=True)]
    (tmp_path / "data.csv").write_text("\n".join(rows), encoding="utf-8")
    fitted = json.loads(run("calibrate", "crane-3", tmp_path / "data.csv", "--json").stdout)
    assert fitted["robot"]["exits"] == pytest.approx(np.array([[0, 0, 5], [6, 0.5, 5.2], [2.5, 5, 4.8]]))


def test_poses_from_a_file_of_measured_lengths(tmp_path):
    t = np.linspace(0.0, 1.0, 12)
    places = np.stack([2.5 + 0.5 * np.sin(t), 1.5 + 0.3 * t, 2.0 - 0.2 * t], -1)
    measured = taut.robots.lengths(taut.library.load("crane-3"), places).lengths
    table = ["time,C1,C2,C3", *(",".join(map(str, row)) for row in np.column_stack([t, measured]))]
    (tmp_path / "measured.csv").write_text("\n".join(table), encoding="utf-8")
    words = ("pose", "crane-3", "--lengths", tmp_path / "measured.csv")
    assert json.loads(run(*words, "--json").stdout)["poses"] == pytest.approx(places, abs=1e-9)
    drawn = run(*words, "-o", tmp_path / "poses.png")
    assert drawn.exit_code == 0 and "12 poses" in drawn.stdout and (tmp_path / "poses.png").exists()
    # on elastic cables the same lengths let the platform sink
    sunk = json.loads(run(*words, "--cables", "elastic", "--json").stdout)["poses"]
    assert np.all(np.array(sunk)[:, 2] < places[:, 2]) and sunk == pytest.approx(places, abs=0.02)
    (tmp_path / "measured.csv").write_text("\n".join([*table, "2,1,1,-1"]), encoding="utf-8")
    assert "row 13 of C3 must be a positive length" in run(*words).output


def test_a_picture_changes_no_answer(tmp_path):
    for words in (("pose", "crane-3", "--lengths", "4.2,4.8,4.5"),
                  ("pose", "crane-3", "--lengths", "4.2,4.8,4.5", "--cables", "elastic"),
                  ("interference", "ipanema-3", "--obstacle", "2,1,0,3,2,3")):  # fmt: skip
        plain, drawn = run(*words, "--json"), run(*words, "--json", "-o", tmp_path / "a.png")
        assert json.loads(plain.stdout) == json.loads(drawn.stdout) and (tmp_path / "a.png").exists()


def test_lengths_that_no_pose_has_are_said_to_be_so():
    answer = run("pose", "crane-3", "--lengths", "1,1,1")
    assert answer.exit_code == 1 and "NO POSE has these lengths" in answer.stdout
    # minima of many starts are told once, though their last digits differ
    assert len(json.loads(run("pose", "ipanema-3", "--lengths", ",".join("1" * 8), "--json").stdout)["found"]) == 1


@pytest.mark.parametrize(("words", "key"), [
    (("fastest", "crane-3", "--path", "{path}", "--speed", 1), "duration"),
    (("sensitivity", "crane-3", "--samples", 20, "--tensions", 1), "by_tension"),
    (("stiffness", "crane-3", "--cable-mass", 0.001), "with_mass"),
    (("pose", "crane-3", "--lengths", "4.2,4.8,4.5"), "found"),
])  # fmt: skip
def test_further_commands_have_a_table_an_object_and_a_picture(words, key, tmp_path):
    rows = ["x,y,z", *(f"{2 + 0.1 * k},{1.5 + 0.02 * k * k},2" for k in range(6))]
    (tmp_path / "path.csv").write_text("\n".join(rows), encoding="utf-8")
    words = [str(word).format(path=tmp_path / "path.csv") for word in words]
    drawn = run(*words, "-o", tmp_path / "picture.png")
    assert drawn.exit_code == 0 and (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert key in json.loads(run(*words, "--json").stdout)


def test_a_mesh_is_written(tmp_path):
    answer = run(
        "workspace", "crane-3", "--kind", "static", "--region", "z=1:4", "--grid", 6, "--mesh", tmp_path / "a.stl"
    )
    assert answer.exit_code == 0 and (tmp_path / "a.stl").stat().st_size > 84


REGION = ("--kind", "static", "--region", "x=0.5:5.5,y=0.5:4,z=1:4", "--grid", 6, "--volume", 0.2)


@pytest.fixture(scope="module")
def space(tmp_path_factory):
    folder = tmp_path_factory.mktemp("space")
    answer = run("workspace", "crane-3", *REGION, "-o", folder / "ws.nc", "-o", folder / "ws.png")
    assert answer.exit_code == 0 and "boundary of" in answer.stdout and answer.stdout.count("wrote") == 2
    return folder / "ws.nc"


def test_a_workspace_becomes_a_picture_and_a_report(space):
    assert space.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    answer = run("report", space, "-o", space.with_suffix(".html"))
    page = space.with_suffix(".html").read_text(encoding="utf-8")
    assert answer.exit_code == 0 and "load on three elastic cables" in page and "m³" in page
    assert page.count('<img src="data:image/png') == 5


def test_a_workspace_is_viewed_alone(space):
    from taut.cli.viewing import Look, open_page

    said = []
    player = open_page([str(space)], Look(0, False, False, said.append))
    try:
        assert player.address == said[0] and len(player.workspace.handles) > 2
        assert player.machine.frames.cables == ["C1", "C2", "C3"]
    finally:
        player.close()


@pytest.mark.parametrize(("words", "message"), [
    (("view", "ipanema-3", "--workspace", "{ws}"), "is the workspace of another robot"),
    (("view", "ipanema-3", "--workspace", "{cut}"), "damaged or incomplete HDF5 file"),
    (("view", "ipanema-3", "--workspace", "nowhere.nc"), "cannot be read"),
    (("view", "{cut}", "--no-open"), "damaged or incomplete HDF5 file"),
    (("report", "{cut}"), "damaged or incomplete HDF5 file"),
    (("report", "{ws}", "--workspace", "{ws}"), "is a workspace, not the result of a run"),
    (("run", "{ws}"), "is a workspace, not the result of a run"),
    (("workspace", "crane-3", "-o", "a.txt"), "has an ending that is not known"),
    (("tensions", "ipanema-3", "-o", "a.txt"), "has an ending that is not known"),
    (("sensitivity", "crane-3", "-o", "a.txt"), "has an ending that is not known"),
    (("tensions", "ipanema-3", "-o", "nowhere/a.png"), "cannot be written"),
    (("workspace", "crane-3", "-o", "nowhere/a.nc"), "its folder does not exist"),
])  # fmt: skip
def test_files_that_cannot_be_shown_get_one_clear_message(words, message, space, tmp_path):
    (tmp_path / "cut.nc").write_bytes(space.read_bytes()[:3000])
    names = {"ws": space, "cut": tmp_path / "cut.nc"}
    answer = run(*(word.format(**names) for word in words))
    assert answer.exit_code == 2 and message in answer.output and "Traceback" not in answer.output


def test_what_is_not_possible_has_its_exit_code():
    assert run("tensions", "ipanema-3", "--pose", "7.5,0,3,0,0,0").exit_code == 1
    assert run("interference", "ipanema-3", "--distance", 5).exit_code == 1
    assert "nothing here can touch" in run("interference", "crane-3").stdout
    # a cable that cuts an obstacle touches it, also if no distance is asked for
    assert run("interference", "ipanema-3", "--obstacle", "2,1,0,3,2,3").exit_code == 1


@pytest.mark.parametrize(("words", "message"), [
    (("lengths", "ipanema-3", "--pose", "1,2"), "needs 6 numbers"),
    (("lengths", "ipanema-3", "--pose", "a,b"), "needs numbers with commas between"),
    (("lengths", "ipanema-3", "--path", "nowhere.csv"), "cannot be read"),
    (("tensions", "ipanema-3", "--limits", "5:1"), "contradict each other"),
    (("tensions", "ipanema-3", "--limits", "x"), "must be LOW:HIGH"),
    (("tensions", "tempel-planar"), "2 cables cannot hold 3 freedoms"),
    (("workspace", "ipanema-3", "--region", "x=1:2:3"), "must be x=LOW:HIGH"),
    (("workspace", "ipanema-3", "--region", "w=1:2"), "is no position"),
    (("workspace", "ipanema-3", "--mesh", "a.txt", "--grid", "3"), "is no format of meshes"),
    (("stiffness", "pendulum-crane"), "has no cables"),
    (("pose", "crane-3", "--lengths", "1,2"), "needs 3 positive numbers"),
    (("pose", "crane-3", "--lengths", "1e300,1,1"), "so long that numbers overflow"),
    (("tensions", "ipanema-3", "--wrench", "nan,0,0,0,0,0"), "must be finite"),
    (("sensitivity", "crane-3", "--lengths", "-1"), "must be a standard deviation"),
    (("sensitivity", "crane-3", "--pose", "2.8333333333333335,1.8333333333333333,5"), "singular pose"),
    (("stiffness", "crane-3", "--pose", "2.8333333333333335,1.8333333333333333,5"), "singular pose"),
    (("stiffness", "crane-3", "--cable-mass", "-1"), "must be finite and not negative"),
    (("stiffness", "crane-3", "--cable-mass", "0"), "mass of the cables is not known"),
    (("stiffness", "crane-3", "--elements", "5"), "goes with --cable-mass"),
    (("lengths", "crane-3", "--cable-mass", "1"), "goes with --sagging"),
    (("lengths", "crane-3", "--limits", "1:2"), "goes with --elastic or --sagging"),
    (("lengths", "crane-3", "--drum", "0"), "must be a radius"),
    (("fastest", "crane-3", "--path", "nowhere.csv"), "cannot be read"),
    (("interference", "crane-3", "--grid", "5"), "goes with --region"),
    (("interference", "ipanema-3", "--region", "z=0:1", "--grid", "101"), "asks for more than 1,000,000 poses"),
    (("pose", "tempel-planar", "--lengths", "3,3"), "2 lengths do not say where 3 coordinates are"),
    (("pose", "tempel-planar", "--lengths", "3,3", "-o", "a.png"), "2 lengths do not say where 3 coordinates are"),
    (("sensitivity", "tempel-planar"), "2 cables cannot hold 3 freedoms"),
    (("interference", "crane-3", "--pose", "0,0,5"), "cable C1 at x 0, y 0, z 5: the anchor is at the exit"),
    (("interference", "crane-3", "--region", "x=0:1", "--pose", "1,1,1"), "excludes --pose and --path"),
    (("interference", "crane-3", "--distance", "nan"), "must be a distance"),
    (("workspace", "ipanema-3", "--grid", "nan"), "needs a whole number"),
    (("workspace", "ipanema-3", "--load", "1,2"), "needs 6 numbers Fx, Fy, Fz, Mx, My, Mz"),
    (("invdyn", "cogiro", "--set", "motion.offset=[0,0,0]", "--method", "best"), "is no method"),
])  # fmt: skip
def test_bad_input_gets_one_clear_message(words, message):
    answer = run(*words)
    assert answer.exit_code == 2 and message in answer.output and "Traceback" not in answer.output
