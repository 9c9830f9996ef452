"""Published running curves reduced to a few harmonics, the data that the human run is built on.

`reduce(folder)` reads the tables of a gait-norms folder and returns the JSON document stored beside this file
as `run_norms.json`: per speed the mean curves of 26 runners as Fourier coefficients, and the mean standard
deviation; the trunk and arms of one runner.

Pelvis and legs: Fukuchi, Fukuchi and Duarte 2017 (CC BY 4.0); trunk, shoulder and elbow: Falisse et al. 2019
(MIT).
"""

import json
from pathlib import Path

from .norms import columns, reduced

STORE = Path(__file__).with_name("run_norms.json")
SPEEDS = {"25": 2.5, "35": 3.5, "45": 4.5}  # m/s
LEGS = (
    "pelvis_tilt",
    "pelvis_obliquity",
    "pelvis_rotation",
    "hip_flexion",
    "knee_flexion",
    "ankle_dorsiflexion",
)
UPPER = (
    "shoulder_flexion",
    "shoulder_adduction",
    "elbow_flexion",
    "lumbar_extension",
    "lumbar_bending",
    "lumbar_rotation",
)


def reduce(folder: Path) -> dict:
    """Return the reduced norms of a gait-norms folder as a JSON-able document."""
    speeds = []
    for name, speed in SPEEDS.items():
        table = columns(folder / f"fukuchi2017_run_{name}.csv")
        curves = {curve: reduced(table[f"{curve}_mean"], table[f"{curve}_sd"]) for curve in LEGS}
        speeds.append({"speed": speed, "curves": curves})
    one = columns(folder / "falisse2019_run_fullbody_1subject.csv")
    return {
        "speeds": speeds,
        "upper": {"speed": 2.78, "curves": {curve: reduced(one[curve]) for curve in UPPER}},
    }


def load() -> dict:
    """Return the stored norms."""
    return json.loads(STORE.read_text())
