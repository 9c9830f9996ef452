"""Where a walk goes, before it is known when feet come down: strides, the facing, and what lies on the
path."""
