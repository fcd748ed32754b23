"""What `taut` alone says: what it is, and what to do next."""

NEXT = {
    "taut run mamidi-pick-and-place": "a first run: four cables lift a box (the engine compiles once, about a minute)",
    "taut report mamidi-pick-and-place.nc": "then look at it: one HTML file; or taut view, in the browser (taut[view])",
    "taut init --robot 8-cable": "begin your own robot: a commented file to edit, check and run",
    "taut list": "all machines that come with taut",
    "taut doctor": "is everything in place?",
    "taut --help": "all commands; taut COMMAND --help says more of one",
}


def greeting() -> str:
    """The lines that `taut` alone prints."""
    from taut import __version__

    width = max(map(len, NEXT))
    steps = [f"  {command:{width}}  {purpose}" for command, purpose in NEXT.items()]
    return "\n".join([f"taut {__version__} simulates machines that hang on cables. What next?", "", *steps])
