"""Make Parametric: turn a clip into an editable walk."""
