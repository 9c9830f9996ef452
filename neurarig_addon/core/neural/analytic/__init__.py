"""What points say without any network: cleaned and completed by how people stand, and the pose in closed form."""
