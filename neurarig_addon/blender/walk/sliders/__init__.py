"""The sliders of a walk: set, keyed, saved as presets."""
