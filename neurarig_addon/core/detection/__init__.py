"""Finding out which bone plays which role: the witnesses that `detect` hears."""
