"""Acts on the way: a jump, sitting down, picking something up, a wave; each a file, played between two
moments of a walk."""
