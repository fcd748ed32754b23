"""Commands on results: look at them, and hand them on."""
