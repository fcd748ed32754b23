"""Questions a cable-robot designer asks of a model: lengths, poses, tensions, workspace, stiffness, interference."""
