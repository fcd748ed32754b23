"""What can be seen of a result: plots."""
