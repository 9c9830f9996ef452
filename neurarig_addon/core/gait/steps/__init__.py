"""Where feet land: the plan of footsteps."""
