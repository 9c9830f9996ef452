"""Logic profiles: a gait written as formulas in a JSON file, evaluated for any number of input rows at
once."""
