"""Commands of controllers: each is a signal, whether or not something follows it yet."""

from taut.build.context import Context


def add_commands(context: Context) -> None:
    """Give every command its row, in the order of the scenario."""
    for name in context.scenario.commands():
        context.signal(name)
