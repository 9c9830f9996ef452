"""The trunk over hips that stay: how it leans for chest, head or hands, and how its children follow."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..character.motion import Motion
from ..easing import within
from ..geometry.rotation import (
    about_z,
    cross,
    dot,
    from_rotation_vector,
    normalized,
    norms,
    part_way,
    rotation_vector,
    yaw_of,
)
from ..skeleton.roles import ARM_PARTS, EYES, SIDES, chest_of, neck_of, sided, spine_of
from .arm import Arm

# largest roll, pitch and yaw of a trunk relative to the pose underneath
MOST = np.radians([22.0, 50.0, 34.0])
MOST_NECK = np.radians(40.0)
# of a head that turns to what is done there: roll, pitch and yaw more than it has anyway
MOST_FACING = np.radians([10.0, 42.0, 65.0])
# iterations of the lean: a trunk of several bones turns about several points, and two hands share one
ROUNDS = 4
EYES_AND_GAZE = (*EYES, *(sided("gaze", side) for side in SIDES))


def leant(
    motions: Mapping[str, Motion],
    wished: tuple[np.ndarray, np.ndarray] | None,
    helped: Sequence[tuple[Arm, np.ndarray, np.ndarray]],
) -> np.ndarray:
    """Return how far the trunk leans, axis times radians `(f, 3)`, within its limits.

    `wished`: a place on it, and where it is to be, `(f, 3)`. `helped`: arms, where their wrists are to be
    `(f, 3)`, and how strongly `(f,)`.
    """
    before, hinge = motions[chest_of(motions)], motions[spine_of(motions)[0]].position
    lean = np.zeros_like(hinge)
    carried = [arm.joints for arm, *_ in helped] + ([] if wished is None else [wished[0][:, None]])
    if not carried:
        return lean
    seen = before.seen(np.concatenate(carried, axis=1))
    for _ in range(ROUNDS):
        points = _chest_after(motions, lean).carried(seen)
        turns = [] if wished is None else [towards(hinge, points[:, -1], wished[1])]
        turns += [
            arm.lean(points[:, 2 * number : 2 * number + 2], hinge, goal, share)
            for number, (arm, goal, share) in enumerate(helped)
        ]
        much = np.array([norms(turn) for turn in turns])
        if not much.any():
            break
        shared = sum(turn * part[:, None] for turn, part in zip(turns, much, strict=True))
        lean = within(lean + shared / np.maximum(much.sum(axis=0), 1e-12)[:, None], MOST)
    return lean


def _chest_after(motions: Mapping[str, Motion], lean: np.ndarray) -> Motion:
    """Return the chest after the trunk leans by `lean` `(f, 3)`, each bone by its share."""
    found = {"pelvis": motions["pelvis"]}
    return found[_hang(found, motions, "pelvis", _along_spine(motions, lean))]


def _along_spine(motions: Mapping[str, Motion], lean: np.ndarray) -> Iterable[tuple[str, np.ndarray]]:
    """Return how each bone of the spine turns, from the pelvis up, for the chest to turn by `lean` `(f, 3)`,
    axis times radians."""
    roles = spine_of(motions)
    shares = np.arange(1.0, len(roles) + 1.0) / len(roles) if roles else np.zeros(0)
    return zip(roles, from_rotation_vector(shares[:, None, None] * lean), strict=True)


def _hang(
    found: dict[str, Motion],
    motions: Mapping[str, Motion],
    holder: str,
    turns: Iterable[tuple[str, np.ndarray]],
) -> str:
    """Turn roles that there are, in `found`, each held by the one before, the first by `holder`; return the
    last one."""
    for role, turn in turns:
        if role in motions:
            found[role] = hung(found[holder], motions[holder], motions[role], turn)
            holder = role
    return holder


def hung(holder: Motion, before: Motion, motion: Motion, turn: np.ndarray) -> Motion:
    """Return a motion turned by `turn` `(f, 3, 3)`, its joint carried by its parent, which has moved from
    `before` to `holder`."""
    return Motion(turn @ motion.rotation, holder.carried(before.seen(motion.position)), motion.rest)


def bent(motions: Mapping[str, Motion], chest: np.ndarray, head: np.ndarray) -> dict[str, Motion]:
    """Return motions whose chest and head are turned by `(f, 3, 3)` relative to the root; arms hang as
    before, turned with shoulders."""
    found, neck = dict(motions), neck_of(motions)
    top = _hang(found, motions, "pelvis", _along_spine(motions, rotation_vector(chest)))
    shares = np.arange(1.0, len(neck) + 1.0)[:, None] / (len(neck) + 1.0)
    _hang(
        found,
        motions,
        top,
        [
            *zip(neck, part_way(chest, head, shares), strict=True),
            ("head", head),
        ],
    )
    for side in SIDES:
        _hang(
            found,
            motions,
            top,
            zip(
                (sided(part, side) for part in ARM_PARTS), [chest] + [about_z(yaw_of(chest))] * 3, strict=True
            ),
        )
    return found | eyes_with_head(found["head"], motions) if "head" in motions else found


def leaning(motions: Mapping[str, Motion], lean: np.ndarray) -> dict[str, Motion]:
    """Return the upper body with a leaning trunk: the head keeps its direction."""
    return bent(motions, from_rotation_vector(lean), np.broadcast_to(np.eye(3), (len(lean), 3, 3)))


def towards(hinge: np.ndarray, point: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Return the rotation about a hinge, axis times radians `(f, 3)`, from the direction of a point to that
    of a goal; all `(f, 3)`."""
    start, end = normalized(point - hinge), normalized(goal - hinge)
    axis = cross(start, end)
    return normalized(axis) * np.arctan2(norms(axis), dot(start, end))[:, None]


def nodding(motions: Mapping[str, Motion], goal: np.ndarray, share: np.ndarray) -> dict[str, Motion]:
    """Return motions with neck and head bent towards the head's goal `(f, 3)` by a share `(f,)`, within the
    neck's limit."""
    neck = neck_of(motions)
    if not neck:
        return dict(motions)
    found, first = dict(motions), motions[neck[0]].position
    bend = within(towards(first, motions["head"].position, goal), MOST_NECK) * share[:, None]
    turn = from_rotation_vector(bend)
    _hang(found, motions, chest_of(motions), [*((role, turn) for role in neck), ("head", np.eye(3))])
    return found | eyes_with_head(found["head"], motions)


def facing(
    motions: Mapping[str, Motion], goal: np.ndarray, share: np.ndarray, most: float
) -> dict[str, Motion]:
    """Return motions with neck and head turned towards a goal `(f, 3)` by a share `(f,)`, within `most`
    of the limits."""
    if "head" not in motions:
        return dict(motions)
    head, neck = motions["head"], neck_of(motions)
    ahead = head.position + head.rotation[:, :, 0]
    turn = within(towards(head.position, ahead, goal), most * MOST_FACING) * share[:, None]
    parts = np.arange(1.0, len(neck) + 2.0)[:, None, None] / (len(neck) + 1.0)
    found = dict(motions)
    turns = from_rotation_vector(parts * turn)
    _hang(found, motions, chest_of(motions), zip((*neck, "head"), turns, strict=True))
    return found | eyes_with_head(found["head"], motions)


def eyes_with_head(head: Motion, motions: Mapping[str, Motion]) -> dict[str, Motion]:
    """Return the eyes of `motions`, and what they look at, carried along by a `head` that is elsewhere
    now."""
    return {
        role: head.holding(motions["head"].seeing(motions[role])) for role in EYES_AND_GAZE if role in motions
    }
