"""Integrators by name, each imported when it is first asked for: a run needs one of them."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from taut.integrate.step.method import Method
from taut.integrate.step.one_step import OneStep


class Methods(Mapping[str, type[Method]]):
    """Classes of methods, from the places where they are defined."""

    def __init__(self, places: dict[str, str]) -> None:
        """Take the module and the class of each."""
        self.places = places

    def __getitem__(self, name: str) -> type[Method]:
        """The class of a method."""
        module, _, kind = self.places[name].partition(":")
        return getattr(import_module(module), kind)

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the methods."""
        return iter(self.places)

    def __len__(self) -> int:
        """The number of methods."""
        return len(self.places)

    def with_fixed_step(self) -> list[str]:
        """Names of those that accept steps of equal length."""
        return [name for name in self if self.takes_fixed_step(name)]

    def takes_fixed_step(self, name: str) -> bool:
        """Whether one accepts steps of equal length."""
        return issubclass(self[name], OneStep)
