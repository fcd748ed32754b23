"""Studies: how an answer changes with the numbers of a scenario. Designs, runs on Dask, statistics, fits, optima."""
