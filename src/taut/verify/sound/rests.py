"""Five hundred random machines: each comes to a rest that holds, or it is said why there is none.

Every rest is judged by other means: the balance by the audit's twin in plain numpy, stability by its small motions, and
of a sample by a run that is pushed and must not leave. `python -m taut.verify.sound.rests FIRST LAST [SEED]` lists what
is wrong.
"""

import sys
import time
from collections.abc import Iterator

import numpy as np

from taut.analyses.modes import Modes, modes
from taut.audit.equations import allowed_parts
from taut.audit.twin.motion import evaluate_motion
from taut.build import build
from taut.integrate.run.witnesses import point_of
from taut.integrate.simulate import simulate
from taut.model import Data, Model
from taut.scenario.errors import ScenarioError
from taut.verify.quantity import Quantity, at_most
from taut.verify.sound.rest_machines import Drawn, random_machine

COUNT, SEED = 500, 2024
SAMPLE = 20  # one machine in this many is also pushed in a run
UNBALANCED = 1e-6  # allowed residual relative to the largest term of the balance, as in audits
OPEN = 1e-9  # allowed closure error [m], times the size of machines larger than 1 m
GROWS = 1e-3  # growth rates below this are rounding of the differences [1/s]
PUSH, LEFT = 0.01, 0.1  # speed given by a push [m/s], allowed displacement after it [m]


def quantities() -> Iterator[Quantity]:
    """Counts of random machines whose rest or refusal is wrong."""
    found = [outcome(number, SEED) for number in range(COUNT)]
    wrong = [text for text in found if text not in ("rests", "named")]
    yield at_most(f"machines of {COUNT} judged wrongly", float(len(wrong)), 0.0, "numpy twin, small motions, runs")
    refused = sum(bool(random_machine(number, SEED)[1].causes) for number in range(COUNT))
    yield Quantity("of them rest", float(found.count("rests")), float(COUNT - refused), 0.0, "as drawn")
    yield Quantity("of them have a cause named why not", float(found.count("named")), float(refused), 0.0, "as drawn")


def outcome(number: int, seed: int) -> str:
    """`rests`, `named`, or what is wrong."""
    family, drawn = random_machine(number, seed)
    try:
        model = build(drawn.machine.scenario())
        found = modes(model, count=1000)
    except ScenarioError as error:
        said = str(error)
        is_right = bool(drawn.causes) and all(word in said for word in drawn.causes)
        return "named" if is_right else f"{number} {family}: {drawn.causes or 'rests'}, but is said: {said}"
    wrong = "; ".join(complaints(model, found, drawn, is_run=number % SAMPLE == 0))
    return f"{number} {family}: {wrong}" if wrong else "rests"


def complaints(model: Model, found: Modes, drawn: Drawn, *, is_run: bool) -> Iterator[str]:
    """Reasons why a state found is no rest."""
    if drawn.causes:
        yield f"a rest is found, but {drawn.causes}"
    yield from unbalanced(model, found.data)
    grows = max(-2.0 * np.pi * found.frequencies.min(initial=0.0), found.eigenvalues.real.max(initial=0.0),
                found.decays.max(initial=0.0))  # fmt: skip
    if grows > GROWS:
        yield f"is unstable, growing by {grows:.3g} 1/s"
    if is_run:
        yield from leaves(drawn)


def unbalanced(model: Model, data: Data) -> Iterator[str]:
    """Balance, closures and one-sided cables by the audit's twin."""
    zero = np.zeros(model.column_count)
    points = point_of(float(data.time[0]), data, {"q": data.q, "v": zero, "a": zero, "lam": data.lam, "z": data.z})
    motion = evaluate_motion(model, points)
    lacks = np.abs(motion.residual) / allowed_parts(model, motion)
    if not lacks.max(initial=0.0) <= UNBALANCED:
        c = int(np.argmax(lacks[0]))
        yield f"the balance of {model.names.columns[c]} lacks {lacks[0, c]:.3g} of its forces"
    gap = np.abs(motion.rows.errors[0]).max(initial=0.0)
    if not gap <= OPEN * max(1.0, float(np.abs(data.nodes["x"]).max())):
        yield f"a closure is open by {gap:.3g} m"
    one_sided = model.tables.closures["row"][model.tables.closures["is_unilateral"] != 0]
    if np.any(data.lam[one_sided] < -UNBALANCED * np.abs(data.lam).max(initial=0.0)):
        yield f"a cable pushes with {data.lam[one_sided].min():.3g} N"


def leaves(drawn: Drawn) -> Iterator[str]:
    """A run from the rest in which every body without a joint is pushed."""
    machine = drawn.machine
    scenario = machine.scenario()
    for name, body in scenario.all_bodies().items():
        force = PUSH * (body.mass or 1.0) / 0.1
        machine.force(name, force=[f"{force}*(smoothstep(20*t) - smoothstep(20*t - 2))"] * 3)
    result = simulate(build(machine.initial(solve="equilibrium").run(duration=2.0, save_every=0.1).scenario()))
    places = result["body_position"].values
    way = float(np.linalg.norm(places - places[0], axis=-1).max(initial=0.0))
    if result.status != "completed" or not way <= LEFT:
        yield f"a push leads {way:.3g} m away ({result.status})"


def listed(first: int, last: int, seed: int) -> None:
    """Print what is wrong of some, and how many are right."""
    found = []
    for number in range(first, last):
        begin = time.perf_counter()
        found.append(outcome(number, seed))
        spent = time.perf_counter() - begin
        if found[-1] not in ("rests", "named") or spent > 5.0:
            print(f"{spent:.1f} s", found[-1], flush=True)
    print(f"{found.count('rests')} rest, {found.count('named')} named, of {len(found)}")


if __name__ == "__main__":
    listed(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else SEED)
