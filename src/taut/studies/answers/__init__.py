"""What a finished study tells."""
