"""Parameters from measured time series."""
