"""Questions of designers of cable robots, against published and independently computed numbers."""
