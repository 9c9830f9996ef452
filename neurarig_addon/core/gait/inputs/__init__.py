"""What a walk is given besides its sliders: the build of the body, what is looked at, edited prints, a
recorded walk."""
