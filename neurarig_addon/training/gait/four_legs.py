"""How joints bend in gaits on four legs: from measured dogs to the bundled file, and how near a dog comes
that walks by it.

The file of dogs gives per gait and joint the `mean` in degrees at `percent` of the limb's own stride, and
under `breeds` points `[percent, mean, ..]` of other dogs.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...core.character.body import LEFT, Body
from ...core.files.json_text import parsed
from ...core.gait import synthesis
from ...core.gait.kinds.four_legs import FORE, HIND, LAWS, STORE, gaits_from_json, suited
from ...core.gait.kinds.natural import GRAVITY
from ...core.gait.sliders.style import Clock, Style, StyleTrack
from ...core.gait.walker import Walker
from ...core.geometry.rotation import dot, normalized
from ...core.ground.surface import LEVEL
from ...core.path.path import STRAIGHT
from ...core.skeleton.roles import sided
from .animals import ANIMALS

PHASES, FPS = np.arange(100) / 100.0, 100.0
# cycles by which a measured stride begins before the paw lands
EARLY = {"walk": 0.03, "trot": 0.0}
JOINTS = {HIND: ("hip", "stifle", "tarsus"), FORE: ("shoulder", "elbow", "carpus")}
# joints that are looked at: the roles of the bones above and below, and what is below these
SEEN = {
    "stifle": (HIND, ("thigh", "shin", "foot")),
    "tarsus": (HIND, ("shin", "foot", "toe")),
    "elbow": (FORE, ("upper_arm", "forearm", "hand")),
}
# harmonics; the weight of the fourth power of one's order
ORDERS, SMOOTH = np.arange(1, 7), 2e-4
SHIFTS = range(-9, 10)  # hundredths of a stride by which dogs may be early

Dogs = Mapping[tuple[str, str], list[np.ndarray]]


def fit(data: Path, out: Path | None, report: Callable[[str], None]) -> None:
    """Write the file of gaits with the joints of all dogs in a file; report, for each breed, how far a dog is
    off that walks by all others."""
    content, (dogs, breeds) = parsed(STORE.read_bytes()), read(data)
    for number, breed in enumerate(breeds, start=1):
        content = _with_joints(content, dogs, number)
        for name in EARLY:
            angles = walked(ANIMALS["dog"].body(), name.upper(), content)
            for joint, curve in angles.items():
                known = dogs[name, joint]
                other = known[number] if number < len(known) else known[0]
                said = f"{breed} left out" if number < len(known) else "fitted"
                report(f"{name:5} {joint:7} {misfit(curve, other):4.1f} degrees ({said})")
    (out or STORE).write_text(json.dumps(_with_joints(content, dogs, None), indent=1) + "\n", "utf-8")


def read(data: Path) -> tuple[Dogs, list[str]]:
    """Return the curves `(100,)` in degrees of each gait and joint in a file, the first dogs' and those of
    the breeds, and these names."""
    given = parsed(data.read_bytes())
    breeds = {name: one for name, one in given["breeds"].items() if isinstance(one, dict)}
    dogs = {}
    for gait, early in EARLY.items():
        for joint, known in given[gait].items():
            others = (
                np.array(breed[gait][joint])[:, :2].T for breed in breeds.values() if joint in breed[gait]
            )
            measured = ((given["percent"], known["mean"], early), *((*other, 0.0) for other in others))
            dogs[gait, joint] = [
                np.interp(100.0 * (PHASES + begins), percent, degrees, period=100.0)
                for percent, degrees, begins in measured
            ]
    return dogs, list(breeds)


def walked(body: Body, name: str, content: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return the degrees `(100,)` of the joints SEEN, over the stride of each limb, of a body that walks by a
    file's content."""
    speed = np.sqrt(LAWS[name].froude * GRAVITY * body.hip[:, 2].mean())
    gait = suited(body, LAWS[name], gaits_from_json(json.dumps(content))[name], 0.0)
    walker = Walker.of(body, StyleTrack(Style(speed=float(speed))), Clock(FPS, 1.0), gait, STRAIGHT, LEVEL)
    angles = {}
    for which, girdle in zip((HIND, FORE), walker.girdles, strict=True):
        seconds = girdle.rhythm.seconds_when(np.stack([PHASES + 2.0] * 2, axis=-1))[:, LEFT]
        motions = synthesis.walked(walker, walker.clock.frames(seconds)).motions
        for joint, (pair, parts) in SEEN.items():
            if pair == which:
                above, at, below = (motions[sided(part, "L")].position for part in parts)
                cosine = dot(normalized(above - at), normalized(below - at))
                angles[joint] = np.degrees(np.arccos(cosine))
    return angles


def misfit(curve: np.ndarray, other: np.ndarray) -> float:
    """Return how far the shapes of two curves `(100,)`, without their means, are apart at best."""
    off = (np.roll(curve, shift) - other for shift in SHIFTS)
    return float(min(np.std(one) for one in off))


def _with_joints(content: dict[str, Any], dogs: Dogs, without: int | None) -> dict[str, Any]:
    """Return a file's content with the joints of all dogs but those of one number."""
    limbs = {name: dict(limb) for name, limb in content["limbs"].items()}
    for gait in EARLY:
        for pair, joints in JOINTS.items():
            limbs[f"{gait} {pair}"]["joints"] = [_harmonics(dogs[gait, joint], without) for joint in joints]
    return content | {"limbs": limbs}


def _harmonics(curves: list[np.ndarray], without: int | None) -> list[float]:
    """Return 0 and the harmonics of what curves have in common, each as early as the first."""
    first = curves[0]
    common = [
        min((np.roll(curve, shift) for shift in SHIFTS), key=lambda moved: np.std(moved - first))
        for number, curve in enumerate(curves)
        if number != without
    ]
    pairs = 0.02 * np.fft.rfft(np.mean(common, axis=0))[ORDERS] / (1.0 + SMOOTH * ORDERS**4)
    return [0.0, *np.stack([pairs.real, -pairs.imag], axis=-1).ravel().round(2).tolist()]
