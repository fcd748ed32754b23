"""A closure that made others redundant opens: those hold on."""

import numpy as np

import taut


def test_what_was_redundant_holds_when_the_other_lets_go():
    machine = taut.Machine("held twice")
    machine.body("arm", mass=1.0, box=[0.1, 0.1, 1.0], com=[0, 0, -0.5], joint={"kind": "revolute", "axis": [0, 1, 0]})
    machine.body("load", mass=2.0, box=[0.2, 0.2, 0.2], position=[0, 0, -1.1])
    machine.closure("grip", kind="fixed", bodies=["arm", "load"], at=[0, 0, -1.0])
    machine.closure("prop", kind="fixed", bodies=["load", "world"], at=[0, 0, -1.2])
    machine.force("load", force=[3.0, 0, 0])
    machine.failure("let go", kind="release", target="prop", at=0.2)
    machine.run(duration=1.0)
    model = taut.build(machine.scenario())
    assert taut.start_state(model).rank < model.row_count
    result = taut.simulate(model)
    assert result.audit["verdict"] == "pass", result.audit["reasons"]
    assert np.abs(result["body_position"].sel(body="load").values[-1, 0]) > 0.1
