"""Records of measurements, controllers and commands."""
