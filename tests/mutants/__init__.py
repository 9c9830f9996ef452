"""Small faults put into the code on purpose, to see whether the tests notice: `python -m tests.mutants`."""
