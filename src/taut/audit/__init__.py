"""The audit's own eyes: the machine judged by other means than those that ran it, in plain numpy."""
