"""What points show without a network: cleaned and completed by how people are, and the pose in closed
form."""
