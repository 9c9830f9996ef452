"""Finding out which bone plays which role: the witnesses that `core.detect` hears."""
