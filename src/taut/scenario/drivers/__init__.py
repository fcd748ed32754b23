"""Records of what carries exits: bodies, carriages, quadcopters."""
