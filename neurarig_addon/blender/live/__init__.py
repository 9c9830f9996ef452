"""Live posing: which characters are posed, when, and what happens if one cannot be."""
