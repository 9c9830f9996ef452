"""What follows a body that moves: tails, ears, hair, straps, skirts and bellies, as a function of time."""
