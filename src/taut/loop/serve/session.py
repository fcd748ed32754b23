"""What a server does with messages: a plant, its commands, its watchdog; without any network.

In real time ``tick`` goes on by one period whenever the clock says so. In lock-step only messages with ``step`` do.
If no command has come for the watchdog's time, every command goes to where it begins, and rates and accelerations to
zero, until the next command comes.
"""

import time as wall
from collections.abc import Callable
from typing import Any

from taut.integrate.stepper import StepError
from taut.loop.plant import Plant, Snapshot
from taut.loop.serve.messages import BadMessage, check_commands, check_count, parse
from taut.scenario.errors import ScenarioError

MOST_SNAPSHOTS = 100
MOST_ERROR = 500  # longest text of an unexpected error [characters]


class Session:
    """One machine that is served."""

    def __init__(
        self,
        plant: Plant,
        *,
        lock_step: bool = False,
        watchdog: float | None = 1.0,
        clock: Callable[[], float] = wall.monotonic,
    ) -> None:
        """Take a plant at its start; ``watchdog`` [s] is of real time, None for none."""
        self.plant, self.lock_step, self.watchdog, self.clock = plant, lock_step, watchdog, clock
        self.overruns, self.late, self.errors, self.clients = 0, 0.0, 0, 0  # late: largest delay of a step so far [s]
        self.is_held, self.is_paused, self.failed = False, False, ""
        self.moves = 0  # number of changes of the state so far, so that watchers see whether there is something new
        self._told = clock()  # clock time of the last command [s], for the watchdog
        self._waiting: dict[str, float] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self.seen = plant.observe()

    def hello(self) -> dict[str, Any]:
        """The first message to a client: what there is."""
        plant = self.plant
        specs = {
            key: [{"name": s.name, "unit": s.unit, "low": finite(s.low), "high": finite(s.high)} for s in found]
            for key, found in (("observations", plant.observation_specs), ("commands", plant.command_specs))
        }
        mode = "lock-step" if self.lock_step else "real-time"
        return {"taut": 1, "machine": plant.scenario.name, "period": plant.period, "mode": mode, **specs}

    def sample(self) -> dict[str, Any]:
        """Time and observations now, and what a client should worry about."""
        found: dict[str, Any] = {"time": self.plant.time, "observations": self.seen.tolist()}
        if self.overruns:
            found["overruns"] = self.overruns
        if self.is_held:
            found["watchdog"] = True
        if self.failed:
            found["failed"] = self.failed
        return found

    def status(self) -> dict[str, Any]:
        """Time, counts and flags of the session."""
        counts = {key: getattr(self, key) for key in ("overruns", "late", "errors", "clients", "failed")}
        return {"time": self.plant.time, **counts, "watchdog": self.is_held, "paused": self.is_paused}

    def answer(self, text: str | bytes) -> dict[str, Any] | None:
        """Follow a message; returns the answer, an error in words if it cannot be followed."""
        try:
            return self._follow(parse(text))
        except BadMessage as error:
            self.errors += 1
            return {"error": str(error)}
        except (ScenarioError, StepError) as error:
            self.errors += 1
            return {"error": str(error)}
        except Exception as error:  # an unexpected error in one message must not end the connection without a word
            self.errors += 1
            return {"error": f"internal error, {type(error).__name__}: {error}"[:MOST_ERROR]}

    def _follow(self, message: dict[str, Any]) -> dict[str, Any] | None:
        acts = {"reset": self._reset, "snapshot": self._keep, "restore": self._restore, "pause": self._pause,
                "step": self._steps, "command": self._command}  # fmt: skip
        for key, act in acts.items():
            if key in message:
                return act(message)
        if "specs" in message:
            return self.hello()
        return {"status": self.status()} if "status" in message else None

    def _command(self, message: dict[str, Any]) -> None:
        self._waiting |= check_commands(message["command"], self.plant.command_specs)
        self._told, self.is_held = self.clock(), False

    def _steps(self, message: dict[str, Any]) -> dict[str, Any]:
        if not self.lock_step:
            raise BadMessage("the server goes by real time: start it with --lock-step")
        count = check_count(message["step"])
        if "command" in message:
            self._command(message)
        for _ in range(count):
            self._go()
        return self.sample()

    def _pause(self, message: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(message["pause"], bool):
            raise BadMessage(f"pause must be true or false, not {message['pause']!r}")
        self.is_paused = message["pause"]
        self.moves += 1
        return {"status": self.status()}

    def _go(self) -> None:
        """Step the plant by one period, with the commands received since the last one."""
        if self.failed:
            raise BadMessage(f"the motion cannot go on: {self.failed} (send reset)")
        commands, self._waiting = self._waiting, {}
        try:
            self.seen = self.plant.step(commands or None)
        except StepError as error:
            self.failed = str(error)
            raise
        finally:
            self.moves += 1

    def _reset(self, message: dict[str, Any]) -> dict[str, Any]:
        seed, changes = message.get("seed"), message.get("changes")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
            raise BadMessage(f"seed must be a whole number, not {seed!r}")
        if changes is not None and not isinstance(changes, dict):
            raise BadMessage("changes must be an object of keys and values")
        self.seen = self.plant.reset(seed=seed, changes=changes)
        self.failed, self._waiting, self._told = "", {}, self.clock()
        self.moves += 1
        return self.sample()

    def _keep(self, message: dict[str, Any]) -> dict[str, Any]:
        name = str(message["snapshot"])
        if len(self._snapshots) >= MOST_SNAPSHOTS and name not in self._snapshots:
            raise BadMessage(f"at most {MOST_SNAPSHOTS} snapshots are kept")
        self._snapshots[name] = self.plant.snapshot()
        return {"kept": name, "time": self.plant.time}

    def _restore(self, message: dict[str, Any]) -> dict[str, Any]:
        name = str(message["restore"])
        if name not in self._snapshots:
            raise BadMessage(f"there is no snapshot {name!r}: {', '.join(self._snapshots) or 'none was kept'}")
        self.seen, self.failed = self.plant.restore(self._snapshots[name]), ""
        # commands act again as they did in the snapshot, so the watchdog must be able to take them back
        self._waiting, self._told, self.is_held = {}, self.clock(), False
        self.moves += 1
        return self.sample()

    def tick(self) -> dict[str, Any] | None:
        """One period of real time; returns a sample, or None while the clock stands still."""
        if self.is_paused or self.failed:
            return None
        self._watch()
        try:
            self._go()
        except StepError:
            return self.sample()
        return self.sample()

    def _watch(self) -> None:
        """Watchdog: stop the machine when no command arrives in time."""
        if self.watchdog is None or self.is_held or not self.plant.commands:
            return
        if self.clock() - self._told > self.watchdog:
            specs = self.plant.scenario.commands()
            self._waiting = {name: specs[name].initial if specs[name].acts in ("value", "ramp") else 0.0
                             for name in self.plant.commands}  # fmt: skip
            self.is_held = True


def finite(value: float) -> float | None:
    """A limit for JSON, which has no infinity."""
    return value if abs(value) < float("inf") else None
