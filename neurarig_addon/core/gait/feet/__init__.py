"""The feet at any moment: standing, rolling, in the air."""
