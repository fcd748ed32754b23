"""Records of cables, pulleys and winches."""
