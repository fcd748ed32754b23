"""Which optional group brings a package that could not be imported."""

import re

from .packages import EXTRAS, requirements

NAME = re.compile(r"[\w.-]+")


def extra_with(module: str) -> str:
    """The extra that lists the package of a module; empty if it belongs to none."""
    package = module.partition(".")[0].lower()
    _, extras = requirements()
    for extra in EXTRAS:
        names = [match[0].lower() for text in extras.get(extra, []) if (match := NAME.match(text))]
        if package in names:
            return extra
    return ""
