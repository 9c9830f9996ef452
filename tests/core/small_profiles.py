"""A small profile, and changes of it."""

import json

from neurarig_addon.core.logic.profile import Profile


def small() -> dict:
    """Return a profile of two inputs and two bindings, as JSON data."""
    return {
        "Profile": "Small",
        "Version": 2,
        "Schema": {
            "Inputs": [{"Name": "right", "Size": 1, "Offset": 0}, {"Name": "left", "Size": 1, "Offset": 1}],
            "Bindings": [
                {"Name": "foot_r", "Target": "foot", "Size": 6, "Offset": 0},
                {"Name": "foot_l", "Target": "foot", "Size": 6, "Offset": 6},
            ],
            "Parameters": {"Constants": {"gain": 2}, "Variables": {"given": ["right", "left"]}},
            "Rules": [
                {
                    "Name": "foot",
                    "Logic": {"scaled": "gain * given", "next": "scaled + 1"},
                    "Phases": [
                        {"id": "low", "condition": "given < 0", "x": "next", "y": "1 / max(given, 0)"},
                        {"id": "high", "condition": "given < 10", "x": "sqrt(given)", "pitch": 7},
                    ],
                }
            ],
            "Outputs": [{"Name": "feet", "Size": 12, "Offset": 0}],
        },
    }


def loaded(data: dict) -> Profile:
    return Profile.from_json(json.dumps(data))
