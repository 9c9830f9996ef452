"""What an animator sets about a walk, and what it means: sliders, who walks, what differs from stride to stride."""
