"""The list of cases. A case is a module with `quantities()`, which runs what it needs and returns its numbers."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from taut.scenario.errors import Problem, ScenarioError, suggest


@dataclass(frozen=True)
class Case:
    """One case: what it is, and the module that runs it."""

    title: str
    module: str
    is_slow: bool = False  # whether the case takes more than a few seconds


CASES = {
    "mamidi-4.2": Case("pick and place of the 4-4 cable robot, [Mamidi2024, sec. 4.2]", "cables.mamidi_4_2"),
    "mamidi-4.3": Case("four quadcopters lift a platform and one fails, [Mamidi2024, sec. 4.3]", "cables.mamidi_4_3"),
    "equilibria": Case("cable robots at rest, and single cables against the elastic catenary", "cables.equilibria"),
    "massless": Case(
        "cables without mass: bounce, pendulum, CoGiRo at rest, each kind against the others", "cables.massless"
    ),
    "routes": Case(
        "ropes over pinholes, wheels, pulleys and from drums: tangents, tackles, cranes, landings", "cables.routes"
    ),
    "random-routes": Case(
        "two hundred random ropes over guides on a load that flies", "cables.route_machines", is_slow=True
    ),
    "modes": Case("natural frequencies of cables, closed forms", "cables.small_motions"),
    "feed": Case(
        "cables paid out and hauled in: independent solutions and energy balance", "cables.feed", is_slow=True
    ),
    "winding": Case(
        "cables with mass on drums, over pulleys and holes: stretch, hauling in, worked case, energy",
        "cables.winding",
        is_slow=True,
    ),
    "failures": Case("a hundred machines in which something fails at random", "trust.failures", is_slow=True),
    "events": Case(
        "a thousand first crossings of planes, tethers and ideal cables, closed forms", "trust.events", is_slow=True
    ),
    "pendulum": Case("simple pendulum, IFToMM benchmark A01, closed form", "mechanisms.pendulum"),
    "iftomm": Case(
        "IFToMM benchmarks A01, A02, A03, A05 and Andrews' squeezer, each at two tolerances",
        "mechanisms.iftomm",
        is_slow=True,
    ),
    "loops": Case("two hundred loops with redundant closures, by three methods", "mechanisms.loops", is_slow=True),
    "rests": Case(
        "five hundred random machines: a rest that holds, or the cause why there is none", "sound.rests", is_slow=True
    ),
    "wang": Case("suspended platform on four ropes that go slack, [Wang2018]: matrices, rest, 10 s", "suspension.wang"),
    "wang-long": Case(
        "the same over 100 s, and modes against chains of elements", "suspension.wang_long", is_slow=True
    ),
    "integrators": Case(
        "every integrator has its order, Stewart platform in free fall", "mechanisms.integrators", is_slow=True
    ),
    "sound": Case(
        "relaxed branches, strong damping, crane links, springs, friction that holds, published quadcopters, turned "
        "robots, given starts",
        "sound.rows",
    ),
    "tolerance": Case(
        "errors of seven machines at five tolerances against closer runs", "trust.tolerance", is_slow=True
    ),
    "variations": Case(
        "library machines, cut short and with other numbers, pass their audits", "trust.variations", is_slow=True
    ),
    "lcp": Case("ten thousand complementarity problems: solved and checked, or a named failure", "suspension.lcp"),
    "nonsmooth": Case(
        "impacts and slack in fixed steps: closed forms, orders, energy", "suspension.nonsmooth", is_slow=True
    ),
    "cranes": Case(
        "closed forms, modes, hoisting, structure, and moves by six controllers", "cranes.cranes", is_slow=True
    ),
    "stewart": Case("free fall of the Stewart platform in every space, [Sathuluri, sec. 5]", "mechanisms.stewart"),
    "six-rss": Case("6-RSS manipulator: symmetric fall and heave, [Sathuluri, sec. 6]", "mechanisms.six_rss"),
    "manipulators": Case(
        "every manipulator makes its motion by the forces found for it", "mechanisms.manipulators", is_slow=True
    ),
    "see": Case(
        "the page of a result of a gigabyte and a half: places, memory, addresses, clients", "trust.see", is_slow=True
    ),
    "tempel": Case(
        "planar robot whose cables slacken, and its published reduction, [Tempel2018]", "cables.tempel", is_slow=True
    ),
    "reduce": Case(
        "reduced models: error, speed, and whether they say when not to be trusted", "cables.reduce", is_slow=True
    ),
    "reduce-suspension": Case(
        "the suspended platform on four ropes reduced: error, tension, speed, slack",
        "suspension.reduce_suspension",
        is_slow=True,
    ),
    "toolbox": Case(
        "cable robots: every question of taut.robots against reference numbers", "robots.toolbox", is_slow=True
    ),
    "tension-control": Case(
        "a robot led by the tensions of its drums: errors die out as asked, limits are kept",
        "robots.tension_control",
        is_slow=True,
    ),
    "studies": Case(
        "two thousand runs equal to single ones, also after ten kills; every design; statistics",
        "studies.studies",
        is_slow=True,
    ),
    "fit": Case(
        "stiffness, damping and payload of a crane from noisy data, a hundred times", "studies.fit_crane", is_slow=True
    ),
    "trust": Case("results that were wrong and passed their audits: none is now", "trust.once_wrong", is_slow=True),
    "batch": Case("many runs at once, and numbers changed in a built model: bit by bit as single ones", "trust.batch"),
    "loop": Case(
        "plant, environment, server and FMU move as simulate does; linear models of eleven machines",
        "loop.loop",
        is_slow=True,
    ),
    "resume": Case(
        "a run that is killed ten times at random moments ends as one that was not", "trust.resume", is_slow=True
    ),
}


def verify(*names: str, is_all: bool = False) -> dict[str, Any]:
    """Run cases and compare; without names all that are quick, with ``is_all`` the slow ones too."""
    return {name: verify_case(name) for name in choose_cases(list(names), is_all=is_all)}


def choose_cases(names: list[str], *, is_all: bool = False) -> list[str]:
    """The cases that names on the command line mean.

    Raises:
        ScenarioError: there is no such case.
    """
    for name in names:
        if name not in CASES:
            raise ScenarioError([Problem("is no case", source=name, remedy=suggest(name, list(CASES)))])
    usual = [name for name, case in CASES.items() if is_all or not case.is_slow]
    return list(dict.fromkeys([*names, *usual] if is_all else names or usual))


def verify_case(name: str) -> dict[str, Any]:
    """Run one case: by quantity its value, expected, tolerance, source, unit and pass."""
    module = import_module(f"taut.verify.{CASES[name].module}")
    found: dict[str, Any] = {}
    for quantity in module.quantities():
        # number quantities of the same name, which would hide each other
        same = sum(1 for known in found if known.split(" [")[0] == quantity.name)
        found[f"{quantity.name} [{same + 1}]" if same else quantity.name] = quantity.as_dict()
    return found


def is_passed(answer: dict[str, Any]) -> bool:
    """Whether every quantity of every case passed."""
    return all(quantity["pass"] for case in answer.values() for quantity in case.values())
