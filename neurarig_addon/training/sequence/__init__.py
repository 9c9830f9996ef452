"""Training the network that lets motions go on by themselves."""
