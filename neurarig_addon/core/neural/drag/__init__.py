"""How a body follows an animator's drag: dragged and held targets stay, the rest gives way as easily as
people move it."""
