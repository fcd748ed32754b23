"""Sweeps on a local cluster: equal to single runs, resumed to the same numbers, failures as outcomes."""

import socket

import numpy as np
import pytest

import taut
from taut.results.errors import ResultError, UnsavedError
from taut.studies import running
from taut.studies.cluster import QUIET, Scheduler, local_client, workers_of
from taut.studies.feeder import LEAST, TARGET, Feeder
from taut.studies.measures import evaluate
from taut.studies.plan import make_plan
from taut.studies.running import COMPLETED, REFUSED, TIMED_OUT, run_batch
from taut.studies.store import Store, open_study
from taut.studies.sweep import sweep

MEASURES = {
    "x": {"max": "joint_position", "joint": "lower"},
    "v": {"peak": "body_velocity", "by": "body"},
    "ok": "audit",
}


def pendulums(count, **keys):
    vary = {"run.duration": 0.05, "bodies.upper.mass": {"from": 1, "to": 2}, "bodies.lower.mass": {"normal": [1, 0.1]}}
    return taut.study("double-pendulum", vary, MEASURES, design={"kind": "random", "count": count, "seed": 2}, **keys)


@pytest.fixture(scope="module")
def client():
    with local_client(2) as found:
        yield found


@pytest.fixture(scope="module")
def whole(client, tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "s.zarr"
    sweep(pendulums(120), client, output=path)
    return path


def test_a_study_equals_single_runs(whole):
    study, found = pendulums(120), open_study(whole)
    for run in (0, 57, 119):
        result = taut.simulate(taut.build(study.scenario(study.values(run))))
        for name, measure in study.record.measure.items():
            assert np.array_equal(found[name].values[run], evaluate(measure, result))
    assert (found.status == COMPLETED).all() and found.sizes["body"] == 2
    assert found["bodies.upper.mass"].attrs["units"] == "kg"


def test_what_is_missing_is_resumed_to_the_same_numbers(client, whole, tmp_path):
    study = pendulums(120)
    plan, path = make_plan(study), tmp_path / "s.zarr"
    store = Store(study, plan.shapes, path)
    store.create()
    runs = [3, 60, 61, 119]
    store.put(runs, run_batch(plan.job, [(run, study.values(run)) for run in runs]))
    store.write()
    done = []
    sweep(study, client, output=path, resume=True, report=lambda store: done.append(len(store.missing())))
    assert done[-1] == 0 and max(done) <= 116
    assert open_study(path).drop_vars("seconds").identical(open_study(whole).drop_vars("seconds"))


def test_a_study_opens_while_it_runs(tmp_path):
    study = pendulums(60)
    store = Store(study, make_plan(study).shapes, tmp_path / "s.zarr")
    store.create()
    found = open_study(tmp_path / "s.zarr")
    assert (found.status == 0).all() and np.isnan(found.x).all() and np.all(found["bodies.upper.mass"] >= 1)


def test_a_client_that_ends_while_the_folder_is_made_leaves_no_half_study(tmp_path, monkeypatch):
    study = pendulums(60)
    store = Store(study, make_plan(study).shapes, tmp_path / "s.zarr")
    with monkeypatch.context() as patch:
        patch.setattr("taut.studies.store._fill", lambda dtype: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.create()
    assert not list(tmp_path.iterdir())
    store.create()
    assert [path.name for path in tmp_path.iterdir()] == ["s.zarr"] and len(store.missing()) == 60


def test_failed_runs_do_not_stop_a_study():
    study = pendulums(3)
    plan = make_plan(study)
    batch = [(0, study.values(0)), (1, study.values(1) | {"bodies.upper.mass": -1.0}), (2, study.values(2))]
    good, bad, last = run_batch(plan.job, batch)
    assert (good.status, bad.status, last.status) == (COMPLETED, REFUSED, COMPLETED)
    assert "bodies.upper.mass = -1" in bad.cause and np.isnan(bad.measures["x"]).all()


def test_a_slow_run_is_stopped():
    study = pendulums(1, time_limit=1e-6)
    outcome = run_batch(make_plan(study).job, [(0, study.values(0))])[0]
    assert outcome.status == TIMED_OUT and "its 1e-06 s are over" in outcome.cause


def test_an_error_of_ours_is_an_outcome(monkeypatch):
    def broken(*args, **kwargs):
        raise ZeroDivisionError("a corner")

    study = pendulums(1)
    job = make_plan(study).job
    monkeypatch.setattr("taut.integrate.batch.runs.finished", broken)
    assert run_batch(job, [(0, study.values(0))])[0].cause == "ZeroDivisionError: a corner"


def test_a_full_disk_is_told_and_what_was_written_stays(tmp_path, monkeypatch):
    study = pendulums(120)
    plan = make_plan(study)
    store = Store(study, plan.shapes, tmp_path / "s.zarr")
    store.create()
    outcomes = run_batch(plan.job, [(run, study.values(run)) for run in (0, 100)])
    store.put([0], outcomes[:1])
    store.write()
    from zarr.storage import LocalStore

    async def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    store.put([100], outcomes[1:])
    with monkeypatch.context() as patch:
        patch.setattr(LocalStore, "set", full)
        with pytest.raises(UnsavedError, match="(?s)No space left.*--resume"):
            store.write()
    again = Store(study, plan.shapes, tmp_path / "s.zarr")
    again.take_up()
    assert again.status[0] == COMPLETED and 100 in again.missing()


def test_a_disk_that_is_too_full_for_a_result_is_told_and_its_run_is_not_done(tmp_path, monkeypatch):
    from taut.results.errors import from_os_error

    def full(path, content):
        raise from_os_error(path, OSError(28, "No space left on device"), "cannot be written")

    study = pendulums(2, keep="results")
    plan = make_plan(study)
    store = Store(study, plan.shapes, tmp_path / "s.zarr")
    store.create()
    monkeypatch.setattr("taut.studies.store.write_whole", full)
    with pytest.raises(UnsavedError, match="(?s)No space left.*--resume"):
        store.put([0], run_batch(plan.job, [(0, study.values(0))]))
    assert 0 in store.missing()


def test_outputs_that_are_refused(whole, tmp_path):
    with pytest.raises(ResultError, match="a study is there"):
        sweep(pendulums(120), output=whole)
    with pytest.raises(ResultError, match="of another study"):
        sweep(pendulums(121), output=whole, resume=True)
    (tmp_path / "no.zarr").mkdir()
    with pytest.raises(ResultError, match="is not a study"):
        sweep(pendulums(2), output=tmp_path / "no.zarr", resume=True)


def test_a_scheduler_that_is_not_there_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("taut.studies.cluster.CONNECTING", 1.0)
    with pytest.raises(ResultError, match="(?s)cannot be reached.*dask scheduler"):
        sweep(pendulums(3), output=tmp_path / "s.zarr", scheduler=Scheduler("tcp://127.0.0.1:1"))
    assert not (tmp_path / "s.zarr").exists()


@pytest.mark.parametrize(
    "address, text",
    [
        ("nonsense", "missing port"),
        ("http://host:80", "none of the protocols"),
        ("tcp://host:port", "its port is no number"),
        ("tcp://host:99999", "1 to 65535"),
        ("tcp://:8786", "the host is missing"),
        ("tls://host:8786", "needs --tls-ca-file"),
    ],
)
def test_what_is_no_address_is_told_at_once(address, text):
    with pytest.raises(ResultError, match=text):
        Scheduler(address).connect()
    with pytest.raises(ResultError, match="does not exist"):
        Scheduler("tls://host:8786", "no.pem").connect()


def test_what_answers_but_is_no_scheduler_is_told(client, monkeypatch):
    monkeypatch.setattr("taut.studies.cluster.CONNECTING", 0.5)
    worker = next(iter(workers_of(client)))
    with pytest.raises(ResultError, match="a worker of Dask answers there"):
        Scheduler(worker).connect()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(ResultError, match=r"nothing answers as one within 0\.5 s"):
            Scheduler(f"tcp://127.0.0.1:{silent.getsockname()[1]}").connect()


def test_dask_looks_at_clocks_and_disks_rarely(client):
    import dask.config

    for key, value in QUIET.items():
        assert set(client.run(dask.config.get, key).values()) == {value}
    ticks = client.run(lambda dask_worker: dask_worker.periodic_callbacks["tick"].callback_time)
    assert set(ticks.values()) == {1000.0}


def test_batches_grow_to_seconds_and_end_small(client):
    feeder = Feeder(client, make_plan(pendulums(1000)), Store(pendulums(1000), {}, None), lambda store: None)
    assert len(feeder._next()) == 1
    # a run takes 10 ms
    feeder.spent, feeder.counted, feeder.workers = 1.0, 100.0, 2
    sizes = []
    while feeder.todo:
        sizes.append(len(feeder._next()))
    assert sizes[0] == pytest.approx(TARGET / 0.01, abs=50) and max(sizes) <= TARGET / 0.01
    assert min(sizes[:-1]) >= LEAST / 0.01 and sum(sizes) == 999


def test_a_scheduler_without_workers():
    from distributed import Client, LocalCluster

    from taut.studies.feeder import SchedulerLost
    from taut.studies.sweep import wait_for_worker

    said = []
    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0", host="127.0.0.1") as cluster:
        client = Client(cluster, set_as_default=False)
        with pytest.raises(ResultError, match="has had no workers for 0.1 s"):
            wait_for_worker(client, 0.1, said.append)
        assert len(said) == 1 and "no workers yet" in said[0]
        client.close()
        with pytest.raises(SchedulerLost):
            wait_for_worker(client, 0.1, said.append)


def test_other_code_on_a_worker_is_refused(client):
    from dataclasses import replace

    from taut.studies.plan import Plan
    from taut.studies.sweep import compute

    plan = make_plan(pendulums(3))
    other = Plan(plan.study, replace(plan.job, versions={"numba": "0.1"}), plan.shapes)
    with pytest.raises(ResultError, match="a worker has other code: .* instead of 0.1"):
        compute(other, Store(plan.study, plan.shapes, None), client, None, (lambda store: None, print))


def test_results_are_kept_when_asked(client, tmp_path):
    sweep(pendulums(2, keep="results"), client, output=tmp_path / "s.zarr")
    with taut.open_result(tmp_path / "s-runs" / "000001.nc") as result:
        assert result.status == "completed"


def test_workers_are_told_from_other_processes(client):
    assert not running.is_worker() and client.submit(running.is_worker).result()
