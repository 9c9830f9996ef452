"""How recorded people's walks differ from the mean, and each person's strides from each other."""
