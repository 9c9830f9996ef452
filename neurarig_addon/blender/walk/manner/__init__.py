"""How a character walks: presets, styles, a recorded walk, profiles, and the gait from these."""
