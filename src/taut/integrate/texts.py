"""What a run says about itself: that it compiles first, and the machine as text for its result."""

import sys

from taut.model import Model

COMPILING = "compiling {} for these kinds of cables (once, about a minute) ..."


def say_compiling(model: Model, integrator: str) -> None:
    """Tell on stderr that the first run by a method, with the model's kinds of cables, takes longer."""
    from taut.integrate.compiled import is_engine_compiled

    if not is_engine_compiled(model, integrator):
        print(COMPILING.format(integrator), file=sys.stderr, flush=True)


def machine_texts(model: Model) -> tuple[str, str]:
    """The scenario as YAML, with the settings of this run; and what the machine is made of, for views."""
    if model.scenario is None:
        return "", ""
    from taut.scenario.structure import structure_text
    from taut.scenario.writing import dumps

    return dumps(model.scenario), structure_text(model.scenario)
