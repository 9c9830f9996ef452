"""An animator's action over a walk or a clip."""
