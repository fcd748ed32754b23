"""Help texts as they are written: units in square brackets are not markup."""

from copy import copy
from typing import Any

from typer.core import TyperCommand

LEFT = "\\["


class Described(TyperCommand):
    """A command in whose help `[m, rad]` stands as it is."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help with square brackets escaped, as rich wants it."""
        shown = copy(self)
        shown.params = [copy(param) for param in self.params]
        for param in shown.params:
            text = getattr(param, "help", None)
            if text:
                setattr(param, "help", text.replace("[", LEFT))  # noqa: B010
        TyperCommand.format_help(shown, ctx, formatter)
