"""Cases of studies."""
