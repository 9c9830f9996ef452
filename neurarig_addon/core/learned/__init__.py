"""Rules learned from examples: the networks of profiles, trained offline or frame by frame."""
