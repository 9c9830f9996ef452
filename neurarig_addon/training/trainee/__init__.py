"""Teaching a network any rule: a logic profile, the human gait, or recorded motion."""
