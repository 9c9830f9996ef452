"""What an animator sets and what it means: sliders, the individual, variation from stride to stride."""
