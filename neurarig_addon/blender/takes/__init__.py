"""Make Parametric: a clip becomes a walk that can be changed."""
