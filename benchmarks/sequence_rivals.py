"""What the IK Rig's parameters are worth to a network that continues motion.

    python -m benchmarks.sequence_rivals MOCAP GAITS --without 16 17 49

Three networks of about equal size learn from the same recordings, and are asked about people that none of them saw: ours; the same one that
sees and answers joint rotations instead of the IK Rig's parameters; and a plain one, from the places and velocities of all joints over half
a second to cosines over the next second.  Needs torch.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from neurarig_addon.core.geometry.rotation import transposed
from neurarig_addon.core.ikrig.decode import decode
from neurarig_addon.core.ikrig.encoding import LIMBS
from neurarig_addon.core.sequence.figure import figure
from neurarig_addon.core.sequence.network import AHEAD, ANSWERS, SEEN, TERMS, WISHES, bundled
from neurarig_addon.core.sequence.rows import PARTS, RATE, Rows, encoding_of, rows_of
from neurarig_addon.core.sequence.stride import REMEMBERED
from neurarig_addon.training.descent import Progress, descend
from neurarig_addon.training.sequence.judge import EVERY, HORIZONS, first_window
from neurarig_addon.training.sequence.model import SequenceModel, joints, placed
from neurarig_addon.training.sequence.train import Lesson, Recipe, train, wish_of
from neurarig_addon.training.sequence.windows import LANE, OTHER, RUN, STEADY, Windows, encoded, recordings
from neurarig_addon.training.sequence.windows import motions as all_motions

GROUPS = (STEADY, OTHER, LANE, RUN)
PLAIN_WIDTH = 150
JOINTS = 18

_PARENTS = {
    "pelvis": "", "spine.1": "pelvis", "spine.2": "spine.1", "spine.3": "spine.2", "neck": "spine.3", "head": "neck",
    **{f"{part}.{side}": f"{above}.{side}" if above not in ("pelvis", "spine.3") else above
       for side in "LR"
       for part, above in (("thigh", "pelvis"), ("shin", "thigh"), ("foot", "shin"), ("toe", "foot"),
                           ("clavicle", "spine.3"), ("upper_arm", "clavicle"), ("forearm", "upper_arm"), ("hand", "forearm"))},
}  # fmt: skip
_ROLES = tuple(_PARENTS)
_TRUNK = ("pelvis", "spine.3", "neck", "head")
_LIMBS = {"leg": ("thigh", "shin", "foot", "toe"), "arm": ("upper_arm", "forearm", "hand")}
# Metres: about how far a turn of a joint moves what it carries, as the IK Rig's parameters are given.
_LEVER = {"pelvis": 0.6, "spine": 0.3, "neck": 0.15, "head": 0.06, "thigh": 0.8, "shin": 0.42, "foot": 0.12, "toe": 0.03} | {
    "clavicle": 0.4, "upper_arm": 0.5, "forearm": 0.25, "hand": 0.06,
}  # fmt: skip
_LEVERS = np.array([_LEVER[role.partition(".")[0]] for role in _ROLES])


def rotations_of(motion: Rows) -> Rows:
    """Return a motion whose poses are the hips' height and two axes of every joint's rotation against its parent, in metres of lever."""
    encoding = encoding_of(motion, np.zeros(2), 0.0, "motion")
    motions = decode(encoding, figure().character)
    heading = encoding.heading
    cos, sin, none = np.cos(heading), np.sin(heading), np.zeros(len(heading))
    back = np.stack([cos, sin, none, -sin, cos, none, none, none, none + 1.0], axis=1).reshape(-1, 3, 3)
    turns = [(back if not parent else transposed(motions[parent].rotation)) @ motions[role].rotation for role, parent in _PARENTS.items()]
    axes = np.stack(turns, axis=1)[..., :2].transpose(0, 1, 3, 2).reshape(len(motion), len(_ROLES), 6) * _LEVERS[:, None]
    return replace(motion, poses=np.concatenate([motions["pelvis"].position[:, 2:], axes.reshape(len(motion), -1)], axis=1))


class Rotations(SequenceModel):
    """Our network on joint rotations."""

    def joints(self, poses: Tensor, places: Tensor) -> Tensor:
        """Return the joints by forward kinematics."""
        rests = _rests()
        axes = poses[..., 1:].reshape(*poses.shape[:-1], len(_ROLES), 6)
        x = nn.functional.normalize(axes[..., :3], dim=-1)
        y = nn.functional.normalize(axes[..., 3:] - (axes[..., 3:] * x).sum(-1, keepdim=True) * x, dim=-1)
        local = torch.stack([x, y, torch.linalg.cross(x, y)], dim=-1)
        cos, sin, none = torch.cos(places[..., 2]), torch.sin(places[..., 2]), torch.zeros_like(places[..., 2])
        heading = torch.stack([cos, -sin, none, sin, cos, none, none, none, none + 1.0], dim=-1).reshape(*none.shape, 3, 3)
        turns, points = {}, {}
        for row, (role, parent) in enumerate(_PARENTS.items()):
            turns[role] = (turns[parent] if parent else heading) @ local[..., row, :, :]
            if parent:
                points[role] = points[parent] + (turns[parent] @ (rests[role] - rests[parent])[:, None])[..., 0]
            else:
                points[role] = torch.cat([places[..., :2], poses[..., :1]], dim=-1)
        limbs = (f"{part}.{name[-1]}" for name in LIMBS for part in _LIMBS[name[:3]])
        return torch.stack([points[role] for role in (*_TRUNK, *limbs)], dim=-2)


@cache
def _rests() -> dict[str, Tensor]:
    """Return where every role's joint is at rest `(3,)`."""
    mean = bundled().weights.mean[None].astype(float)
    pose = decode(encoding_of(Rows(mean, np.zeros((1, 3)), np.zeros((1, 4))), np.zeros(2), 0.0, "mean"), figure().character)
    return {role: torch.tensor(motion.rest, dtype=torch.float32) for role, motion in pose.items()}


class Plain(nn.Module):
    """From the places and velocities of all joints over half a second to cosines over the next second, added to the last place."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2 * 3 * JOINTS * SEEN + WISHES, PLAIN_WIDTH),
            nn.ELU(),
            nn.Linear(PLAIN_WIDTH, PLAIN_WIDTH),
            nn.ELU(),
            nn.Linear(PLAIN_WIDTH, 3 * JOINTS * TERMS),
        )
        self.register_buffer("answers", torch.tensor(ANSWERS, dtype=torch.float32))

    def forward(self, seen: Tensor, wish: Tensor) -> Tensor:
        """Return joints `(n, AHEAD, j, 3)` after those seen `(n, SEEN, j, 3)`, in the frame of the last."""
        moves = torch.diff(seen, dim=1, prepend=seen[:, :1])
        told = torch.cat([seen.flatten(1), 10.0 * moves.flatten(1), wish], dim=1)
        terms = self.layers(told).view(len(seen), TERMS, JOINTS, 3)
        return seen[:, -1:] + torch.einsum("ntjc,ft->nfjc", terms, self.answers)


class Scene:
    """Windows as joints, the truth that everybody is measured on."""

    def __init__(self, windows: Windows) -> None:
        self.windows = windows
        self._poses, self._steps = (torch.from_numpy(part) for part in (windows.poses, windows.steps))

    def ahead(self, lesson: Lesson) -> tuple[Tensor, Tensor]:
        """Return the joints `(n, AHEAD, j, 3)` and places `(n, AHEAD, 3)` of the next second."""
        places = placed(self._steps[lesson.ahead])
        return joints(self._poses[lesson.ahead], places), places

    def seen(self, lesson: Lesson) -> Tensor:
        """Return the joints `(n, SEEN, j, 3)` of the last half second, in the frame of the last."""
        places = placed(self._steps[lesson.seen])
        last = places[:, -1:]
        cos, sin = torch.cos(last[..., 2]), torch.sin(last[..., 2])
        way = places[..., :2] - last[..., :2]
        here = torch.stack(
            [cos * way[..., 0] + sin * way[..., 1], cos * way[..., 1] - sin * way[..., 0], places[..., 2] - last[..., 2]], dim=-1
        )
        return joints(self._poses[lesson.seen], here)


def train_plain(windows: Windows, recipe: Recipe) -> Plain:
    """Return the plain network, taught without roll-outs."""
    torch.manual_seed(recipe.seed)
    draw, scene, model = np.random.default_rng(recipe.seed), Scene(windows), Plain()
    share = np.cumsum(windows.weight) / windows.weight.sum()

    def loss() -> Tensor:
        lesson = Lesson.of(windows, np.searchsorted(share, draw.random(recipe.batch)))
        truth, places = scene.ahead(lesson)
        wish = wish_of(places) * (torch.rand(len(truth), 1) < recipe.wished)
        return torch.linalg.norm(model(scene.seen(lesson), wish) - truth, dim=-1).mean()

    return descend(model, loss, recipe, _quiet)


def plain_errors(model: Plain, windows: Windows, chosen: np.ndarray, is_told: bool) -> Tensor:
    """Return how far the plain network's joints are off `(n, AHEAD)`, metres."""
    scene, lesson = Scene(windows), Lesson.of(windows, chosen)
    truth, places = scene.ahead(lesson)
    found = model(scene.seen(lesson), wish_of(places) * float(is_told))
    return torch.linalg.norm(found - truth, dim=-1).mean(dim=-1)


def errors(model: SequenceModel, windows: Windows, chosen: np.ndarray, is_told: bool) -> Tensor:
    """Return how far the joints of a network of our kind are off `(n, AHEAD)`, metres."""
    lesson = Lesson.of(windows, chosen)
    poses, steps, contacts = (torch.from_numpy(getattr(windows, part)) for part in PARTS)

    def signals(rows: Tensor) -> Tensor:
        return model.signals(poses[rows], steps[rows], contacts[rows])

    manners = []
    for last, first in zip(windows.last[chosen], windows.first[chosen], strict=True):
        past = signals(torch.arange(max(int(first), int(last) + 1 - REMEMBERED), int(last) + 1))
        manners.append(torch.stack([past.mean(dim=0), past.std(dim=0, correction=0)]))
    places = placed(steps[lesson.ahead])
    wish = wish_of(places) * float(is_told)
    answer = model(
        signals(lesson.seen), signals(lesson.once), torch.stack(manners), lesson.known * torch.tensor([1.0, 1.0, 1.0, 0.0]), wish
    )
    found, way = model.rows(answer, poses[lesson.seen[:, -2:]])
    off = model.joints(found, placed(way)) - model.joints(poses[lesson.ahead], places)
    return torch.linalg.norm(off, dim=-1).mean(dim=-1)


def judge(off: Callable[[Windows, np.ndarray, bool], Tensor], motions: Sequence[tuple[str, Rows]]) -> None:
    """Print the mean errors in millimetres at HORIZONS, by group."""
    at = np.array(HORIZONS) * RATE / 1000.0
    for group in GROUPS:
        chosen = [motion for kind, motion in motions if kind == group and len(motion) >= SEEN + AHEAD]
        if not chosen:
            continue
        windows = Windows.of_motions([(group, motion) for motion in chosen])
        starts = np.cumsum([0, *map(len, chosen)])
        judged = [
            start + at
            for start, motion in zip(starts, chosen, strict=False)
            for at in range(first_window(motion), len(motion) - AHEAD, EVERY)
        ]
        rows = np.flatnonzero(np.isin(windows.last, judged))
        for is_told in (False, True):
            with torch.no_grad():
                mean = 1e3 * off(windows, rows, is_told).mean(dim=0).numpy()
            said = ", ".join(f"{np.interp(one, np.arange(AHEAD) + 1.0, mean):.0f}" for one in at)
            print(f"  {group} ({len(rows)}){', told' if is_told else ''}: {said}", flush=True)


def main() -> None:
    """Train all three and print their errors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--without", nargs="+", default=["16", "17", "49"], metavar="PERSON", help="who is judged and not learned from")
    parser.add_argument("--steps", type=int, default=5000)
    options = parser.parse_args()
    recipe = Recipe(steps=options.steps)
    recorded = [one for folder in options.folders for one in recordings(folder)]
    strangers = {f"cmu_{person}" for person in options.without}
    learned = [(one.group, motion) for one in recorded if one.subject not in strangers for motion in all_motions(one)]
    met = [(one.group, rows_of(encoded(one))) for one in recorded if one.subject in strangers and one.group in GROUPS]

    ours, turns = Windows.of_motions(learned), Windows.of_motions([(group, rotations_of(motion)) for group, motion in learned])
    turned = [(group, rotations_of(motion)) for group, motion in met]
    for name, kind, windows, motions in (
        ("the IK Rig's parameters", SequenceModel, ours, met),
        ("joint rotations", Rotations, turns, turned),
    ):
        print(name)
        judge(partial(errors, train(windows, recipe, _quiet, kind)), motions)
    print("plain, on joint places")
    judge(partial(plain_errors, train_plain(ours, recipe)), met)


def _quiet(_progress: Progress) -> None:
    return None


if __name__ == "__main__":
    main()
