"""What the audit recomputes of ropes of assumed modes."""
