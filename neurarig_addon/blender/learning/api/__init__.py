"""Learn Style and Make Parametric for scripts."""
