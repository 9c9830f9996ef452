"""The human gait: identified from published curves, sampled over speed and proportions, and taught to the
gait network."""
