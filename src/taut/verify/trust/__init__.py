"""Whether results can be trusted: events, tolerance, variations, failures, resumed runs."""
