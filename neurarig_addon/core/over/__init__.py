"""Poses over a walk or a clip: hands, chest and head reach for goals, while hips and feet stay as they
are."""
