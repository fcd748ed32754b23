"""Commands on a machine: check it, run it, and the analyses."""
