"""A wide record of what the core answers: a few numbers for each of many short scenarios (see `__main__`)."""
