"""The human gait: how people walk at any speed, as harmonics per channel.  The network learns this.

`identify` finds the coefficients from the norms and stores them in `human_gait.json`; `HumanGait` evaluates
them with the network's interface, so that either can drive the walk.
"""

import json
from pathlib import Path

import numpy as np

from ...core.contract.channels import CHANNELS
from ...core.easing import cubic
from ...core.gait.inputs.proportions import SPACING_OF_HIP, SPACING_OF_LEG
from ...core.gait.kinds.natural import dimensionless_speed
from .norms import HARMONICS, basis

STORE, RUN_STORE = (Path(__file__).with_name(name) for name in ("human_gait.json", "run_gait.json"))
# One side in its own view: lengths in leg lengths (thigh plus shin), angles in radians; out, up and ahead are
# towards its own side.
OWN = (
    "foot.x", "foot.out", "foot.z", "foot.pitch", "foot.toe_out", "foot.roll", "ball.bend",
    "arm.flexion", "arm.abduction", "arm.rotation", "arm.elbow", "arm.wrist",
    "pelvis.x", "pelvis.side", "pelvis.z", "pelvis.pitch", "pelvis.ahead", "pelvis.up",
    "chest.pitch", "chest.ahead", "chest.up", "head.pitch", "head.ahead", "head.up",
)  # fmt: skip
ROW = {name: row for row, name in enumerate(OWN)}
ADULT_THIGH_SHARE = 0.5
ADULT_SPACING = SPACING_OF_HIP * 0.09 / 0.845 + SPACING_OF_LEG
# From the ankle to the toe joint of an adult, in leg lengths.
BALL_FROM_ANKLE = np.array([0.148, -0.065])
SWAY_OF_SPACING = 0.6  # relative growth of pelvis sway per relative growth of step width


class HumanGait:
    """Coefficients `(speeds, len(OWN), 1 + 2 harmonics)` at dimensionless speeds `(speeds,)`."""

    def __init__(self, vhats: np.ndarray, coefficients: np.ndarray) -> None:
        self.vhats = np.asarray(vhats, dtype=float)
        self.coefficients = np.asarray(coefficients, dtype=float)

    @classmethod
    def load(cls, store: Path = STORE) -> "HumanGait":
        """Return a stored gait."""
        stored = json.loads(store.read_text())
        return cls(stored["vhat"], np.array([[speed[name] for name in OWN] for speed in stored["curves"]]))

    def save(self, store: Path = STORE) -> None:
        """Store the coefficients."""
        curves = [
            {name: np.round(row, 6).tolist() for name, row in zip(OWN, speed, strict=True)}
            for speed in self.coefficients
        ]
        text = json.dumps(
            {"harmonics": HARMONICS, "vhat": self.vhats.tolist(), "curves": curves}, separators=(",", ":")
        )
        store.write_text(text.replace('"foot.x"', '\n"foot.x"') + "\n")

    def at_speed(self, vhat: np.ndarray) -> np.ndarray:
        """Return coefficients `(n, len(OWN), 1 + 2 harmonics)`; below the slowest speed all shrink with the
        stride."""
        vhat = np.asarray(vhat, dtype=float)
        held = np.clip(vhat, self.vhats[0], self.vhats[-1])
        found = self._between(held) if len(self.vhats) > 1 else self.coefficients[np.zeros(vhat.shape, int)]
        shrink = np.minimum(np.maximum(vhat, 0.0) / self.vhats[0], 1.0) ** 0.56
        return found * shrink[:, None, None]

    def _between(self, vhat: np.ndarray) -> np.ndarray:
        """Return coefficients between the speeds by cubics with continuous slopes (finite differences), as
        the speed may be keyed."""
        speeds, row = np.unique(vhat, return_inverse=True)  # many phases share a speed
        slopes = np.gradient(self.coefficients, self.vhats, axis=0)
        return cubic(self.vhats, self.coefficients, slopes, speeds)[row]

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return channels `(frames, 46)` in metres and radians; see GaitNetwork.sample."""
        leg = 0.5 * (slow[:, 1] + slow[:, 2] + slow[:, 5] + slow[:, 6])
        coefficients = self.at_speed(dimensionless_speed(slow[:, 0] / np.sqrt(leg), 1.0))
        views = []
        for start, phase in ((1, phase_right), (5, phase_left)):
            own = np.einsum("...ck,...k->...c", coefficients, basis(phase))
            share = slow[:, start] / (slow[:, start] + slow[:, start + 1])
            views.append(_proportioned(own, share, slow[:, start + 3] / leg))
        return _assembled(*views, leg)


def sample(
    velocity: float,
    thigh: float,
    shin: float,
    spacing: float,
    phases: np.ndarray,
    gait: "HumanGait | None" = None,
) -> np.ndarray:
    """Return channels `(phases, 46)` of a symmetric character at the right foot's phases: metres, m/s,
    radians."""
    gait = gait or HumanGait.load()
    slow = np.array([[velocity, thigh, shin, 0.0, spacing, thigh, shin, 0.0, spacing]])
    return gait.sample(slow, np.asarray(phases), np.asarray(phases) + 0.5)


def _proportioned(own: np.ndarray, thigh_share: np.ndarray, spacing: np.ndarray) -> np.ndarray:
    """Return one side's channels for proportions other than the adult's.

    The ankle's path is kept (it is in leg lengths); a wider stance makes the pelvis sway further. A longer
    thigh lifts the ankle less for
    the same swing of thigh and knee, as in people with such legs.
    """
    own = own.copy()
    own[..., ROW["foot.z"]] *= 1.0 - 0.5 * (thigh_share - ADULT_THIGH_SHARE)
    own[..., ROW["pelvis.side"]] *= 1.0 + SWAY_OF_SPACING * np.clip(spacing / ADULT_SPACING - 1.0, -1.0, 3.0)
    return own


def _assembled(right: np.ndarray, left: np.ndarray, leg: np.ndarray) -> np.ndarray:
    """Return the 46 channels from the two sides' own views `(frames, len(OWN))`."""
    values: dict[str, np.ndarray] = {}
    for side, own, sign in (("r", right, -1.0), ("l", left, 1.0)):
        part = {name: own[..., row] for name, row in ROW.items()}
        foot = {axis: part[f"foot.{axis}"] for axis in ("x", "z", "pitch", "roll")}
        foot |= {
            "y": sign * part["foot.out"],
            "yaw": sign * part["foot.toe_out"],
            "roll": sign * foot["roll"],
        }
        cos, sin = np.cos(foot["pitch"]), np.sin(foot["pitch"])
        along, up = BALL_FROM_ANKLE
        ball = {
            "x": foot["x"] + cos * along + sin * up - along,
            "y": foot["y"],
            "z": foot["z"] + cos * up - sin * along - up,
        }
        ball |= {"pitch": part["ball.bend"], "yaw": foot["yaw"], "roll": foot["roll"]}
        for name, channel in (("foot", foot), ("ball", ball)):
            for axis, value in channel.items():
                values[f"{name}_{side}.{axis}"] = value * leg if axis in "xyz" else value
        for axis in ("flexion", "abduction", "rotation", "elbow", "wrist"):
            values[f"arm_{side}.{axis}"] = part[f"arm.{axis}"]
        for name in ("pelvis", "chest", "head"):
            _add(values, f"{name}.pitch", 0.5 * part[f"{name}.pitch"])
            _add(values, f"{name}.yaw", -0.5 * sign * part[f"{name}.ahead"])
            _add(values, f"{name}.roll", 0.5 * sign * part[f"{name}.up"])
        _add(values, "pelvis.x", 0.5 * part["pelvis.x"] * leg)
        _add(values, "pelvis.y", 0.5 * sign * part["pelvis.side"] * leg)
        _add(values, "pelvis.z", 0.5 * part["pelvis.z"] * leg)
    return np.stack([values[name] for name in CHANNELS], -1)


def _add(values: dict[str, np.ndarray], name: str, amount: np.ndarray) -> None:
    values[name] = values.get(name, 0.0) + amount
