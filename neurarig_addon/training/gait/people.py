"""How recorded people's walks differ besides speed: the statistics that individuals are drawn from.

`reduce(folder)` reads `gait_norms_cmu_train_clips.csv` of a gait-norms folder (42 walks of 9 people of the
CMU motion capture database) and returns the JSON document that ships as `data/people.json`.
"""

import csv
from pathlib import Path

import numpy as np

from ...core.gait.sliders.individual import TRAITS

# Trait -> column, and whether it is a share of the mean or in its own unit (degrees).
COLUMNS = {
    "stride": ("len_rel", True),
    "stance_width": ("width_rel", True),
    "step_height": ("heel_max_rel", True),
    "bounce": ("bob_rel", True),
    "sway": ("sway_rel", True),
    "twist": ("pyaw", True),
    "list": ("plist", True),
    "arm_swing": ("arm", True),
    "lean": ("lean", False),
    "elbow_bend": ("elbow", False),
    "foot_splay": ("prog", False),
}
COMPONENTS = 3
LEAST_SURE = 0.1  # least share of the variance of people's means kept, if their own clips differ as much


def reduce(folder: Path) -> dict:
    """Return components `(COMPONENTS, traits)`, the unexplained rest `(traits,)`, and measures of how
    reliable they are."""
    person, values = residuals(folder / "gait_norms_cmu_train_clips.csv")
    means, noise = _people(person, values)
    seen = means.var(axis=0, ddof=1)
    spread = np.sqrt(np.maximum(seen - noise, LEAST_SURE * seen))
    components = _components(means / np.sqrt(seen), COMPONENTS) * spread
    rest = np.sqrt(np.maximum(spread**2 - (components**2).sum(axis=0), 0.0))
    return {
        "traits": list(TRAITS),
        "components": np.round(components, 4).tolist(),
        "rest": np.round(rest, 4).tolist(),
        "people": len(means),
        "explained_of_people_left_out": round(left_out(means / np.sqrt(seen)), 3),
    }


def residuals(table: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the subject of each clip `(clips,)`, and the traits `(clips, traits)` less what speed explains;
    all persons weigh the same."""
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    person = np.array([row["subject"] for row in rows])
    vhat = np.array([float(row["vhat"]) for row in rows])
    weight = np.sqrt(np.array([1.0 / np.sum(person == name) for name in person]))[:, None]
    speed = np.stack([np.ones_like(vhat), vhat], axis=1)
    found = []
    for trait in TRAITS:
        column, is_share = COLUMNS[trait]
        values = np.array([float(row[column] or "nan") for row in rows])
        known = np.isfinite(values)
        fit = np.linalg.lstsq((speed * weight)[known], (values * weight[:, 0])[known], rcond=None)[0]
        usual = speed @ fit
        found.append(
            np.where(known, np.log(np.maximum(values / usual, 0.2)) if is_share else values - usual, np.nan)
        )
    return person, np.stack(found, axis=1)


def _people(person: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of every person `(people, traits)`, and the variance `(traits,)` of these means due to
    differing clips."""
    names = sorted(set(person), key=int)
    means = np.array([np.nanmean(values[person == name], axis=0) for name in names])
    within = np.nanmean(
        [np.nanvar(values[person == name], axis=0, ddof=1) for name in names if np.sum(person == name) > 1],
        axis=0,
    )
    counts = np.array([np.sum(person == name) for name in names])
    means = np.where(np.isfinite(means), means, 0.0)
    return means, within * np.mean(1.0 / counts)


def _components(means: np.ndarray, count: int) -> np.ndarray:
    """Return principal components `(count, traits)` of people, each with the length of their spread along
    it."""
    _, sizes, ways = np.linalg.svd(means - means.mean(axis=0), full_matrices=False)
    return (sizes / np.sqrt(len(means) - 1))[:count, None] * ways[:count]


def left_out(means: np.ndarray, count: int = COMPONENTS) -> float:
    """Return the share of a person's deviation explained by the components of all others, mean over the
    persons left out."""
    shares = []
    for out in range(len(means)):
        others = np.delete(means, out, axis=0)
        ways = np.linalg.svd(others - others.mean(axis=0), full_matrices=False)[2][:count]
        off = means[out] - others.mean(axis=0)
        shares.append(((ways @ off) ** 2).sum() / (off**2).sum())
    return float(np.mean(shares))
