"""Learn Style and Turn Clip into Walk for scripts."""
