"""What every method writes down of a run in progress, in two records of one row: ``clock``, numbers, and ``count``.

They are part of the state from which a run carries on bit for bit. A method appends its own fields.
"""

import numpy as np

from taut.model.tables import INT, REAL, Column, new_table

Fields = tuple[Column, ...]

CLOCK: Fields = (
    Column("time", REAL, (), "s", "end of the last step"),
    Column("step", REAL, (), "s", "step to try next"),
    Column("last_step", REAL, (), "s", "the last step"),
    Column("last_error", REAL, (), "-", "its error, for the next proposal"),
    Column("tolerance", REAL, (), "-", "as asked for"),
    Column("largest_step", REAL, (), "s", "as asked for"),
    Column("end", REAL, (), "s", "end of the segment"),
    Column("error", REAL, (), "-", "of the step under way, in tolerated errors"),
    Column("rate", REAL, (), "-", "of convergence of Newton's iteration"),
    Column("trusted_rate", REAL, (), "-", "of convergence, without being measured"),
    Column("factor_step", REAL, (), "s", "step of the Newton matrix; 0 for none"),
    Column("works", REAL, (2,), "J", "input and dissipated since the start"),
    Column("step_end", REAL, (), "s", "end of a step that waits for its samples"),
    Column("done_step", REAL, (), "s", "size of it"),
    Column("witness", REAL, (), "s", "next time at which a step is kept for the audit"),
    Column("step_gaps", REAL, (2,), "m, m/s", "largest errors of position and velocity closed at the ends of steps"),
    Column("sample_gaps", REAL, (2,), "m, m/s", "and at samples"),
    Column("tolerated", REAL, (), "m", "error tolerated of any point"),
    Column("time_scale", REAL, (), "s", "time for which an error of a velocity counts"),
    Column("energy_limit", REAL, (), "-", "share of the exchanged energy that errors may make"),
    Column("energy_floor", REAL, (), "J", "error of the energy that is allowed in any case"),
    Column("refused_energy", REAL, (), "J", "error of a step refused for its energy"),
    Column("refused_step", REAL, (), "s", "and its size"),
    Column("energy_sum", REAL, (), "J", "sum of the errors of the steps"),
)
COUNT: Fields = (
    Column("accepted", INT, (), "-", "steps"),
    Column("rejected", INT, (), "-", "steps"),
    Column("newton_failed", INT, (), "-", "steps whose iteration did not converge"),
    Column("iterations", INT, (), "-", "of Newton"),
    Column("is_real_time", INT, (), "-", "1 if a step takes a fixed number of Newton's iterations"),
    Column("factored", INT, (), "-", "Newton matrices"),
    Column("evaluated", INT, (), "-", "residuals"),
    Column("next_sample", INT, (), "-", "in the buffer"),
    Column("is_first", INT, (), "-", "1 before the first step after a restart"),
    Column("is_fresh", INT, (), "-", "1 if the Newton matrix is that of this step"),
    Column("is_rejected", INT, (), "-", "1 if the last try was"),
    Column("logged", INT, (), "-", "lines in the log"),
    Column("is_pending", INT, (), "-", "1 while a step waits for its samples"),
    Column("step_iterations", INT, (), "-", "of the step under way"),
    Column("event", INT, (), "-", "at which the step ends; -1 for none"),
    Column("is_witness", INT, (), "-", "1 if the last step was kept for the audit"),
    Column("let_pass", INT, (), "-", "steps whose energy is still let pass"),
    Column("unbalanced", INT, (), "-", "steps let pass with too large an error of their energy"),
)


def new_clock(*own: Column) -> np.recarray:
    """The record of numbers, with a method's own fields after the common ones."""
    return new_table(CLOCK + own, 1)


def new_count(*own: Column) -> np.recarray:
    """The record of counts."""
    return new_table(COUNT + own, 1)
