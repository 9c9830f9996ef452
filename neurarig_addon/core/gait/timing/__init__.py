"""When: how far a walk has come at each moment, and when each foot strikes."""
