"""The walk as keyframes."""
