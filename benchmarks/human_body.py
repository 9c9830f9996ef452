"""The adult that every benchmark walks: the one that the human gait was built on."""

from neurarig_addon.core.human.adult import human_body, pair

__all__ = ["human_body", "pair"]
