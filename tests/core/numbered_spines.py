"""Figures with spines and necks of any number of bones."""

import numpy as np

from . import skeletons as made
from .skeletons import EXPECTED


def with_spine(bones: int, necks: int = 1) -> tuple[made.Table, dict[str, str]]:
    """Return a human whose trunk has so many bones from the pelvis to the shoulders, and so many in the neck,
    and its roles."""
    table = {name: bone for name, bone in made.biped().items() if not name.startswith(("spine", "neck"))}
    trunk: made.Table = {}
    roles = {role: bone for role, bone in EXPECTED.items() if not role.startswith(("spine", "neck"))}
    holder = "pelvis"
    for stem, count, low, high in (
        ("spine", bones, (0.0, 0.03, 1.06), (0.0, 0.03, 1.46)),
        ("neck", necks, (0.0, 0.03, 1.46), (0.0, 0.01, 1.56)),
    ):
        for number in range(1, count + 1):
            name = f"{stem}_{number:02d}"
            start, end = (
                tuple(np.array(low) + (np.array(high) - low) * at / count) for at in (number - 1, number)
            )
            trunk[name] = (holder, start, end)
            roles[stem if stem == "neck" and number == 1 else f"{stem}.{number}"] = holder = name
    chest = f"spine_{bones:02d}" if bones else "pelvis"
    for side in "lr":
        table[f"clavicle_{side}"] = (chest, *table[f"clavicle_{side}"][1:])
    table["head"] = (holder, *table["head"][1:])
    first = ("root", "pelvis")
    return {
        **{name: table[name] for name in first},
        **trunk,
        **{n: bone for n, bone in table.items() if n not in first},
    }, roles
