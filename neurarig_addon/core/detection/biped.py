"""Whether the figure is a biped: evidence from the best pair of legs, from its rivals and from the body above
it."""

import numpy as np

from ..geometry.rotation import UP, norms
from .evidence import Evidence, weighed
from .figure import Figure
from .pairs import Candidates, LimbPair
from .trunk import Trunk
from .words import OTHER, PARTS

_ALIKE = 0.35  # least ratio between the lengths of a rival and of the best pair of legs
_SAME_GROUND = 0.35  # leg lengths: feet that differ less in height stand on the same floor
_AHEAD = 0.4  # leg lengths along the body: rivals nearer than this may be cloth
_MANY = 6
# Log odds that names may count against a biped, and for one: words of languages that we do not know say
# little, and four legs are not two, whatever they are called (chosen on 1200 drawn bipeds and 900 creatures).
_NAMES_AT_LEAST, _NAMES_AT_MOST = -2.0, 3.0
_OF_NAMES = (
    "legs: named by table", "legs: named otherwise by table", "legs: words", "legs: words of something else",
    "table names legs", "words name legs", "words name arms", "words of something else",
)  # fmt: skip
_OF_RIVALS = (
    "rivals", "rival's merit", "rival ahead", "rival has feet", "rival alike", "rival on another hub",
    "more rivals", "rival at the side",
)  # fmt: skip


def biped_merit(figure: Figure, legs: Candidates, arms: LimbPair | None, trunk: Trunk | None) -> float:
    """Return the log odds of a biped: below 0 the figure is not one.  Names count little."""
    seen = biped_evidence(figure, legs, arms, trunk)
    called = {name: seen.pop(name) for name in _OF_NAMES if name in seen}
    return float(weighed("biped", seen)[0]) + float(
        np.clip(weighed("biped", called)[0], _NAMES_AT_LEAST, _NAMES_AT_MOST)
    )


def biped_evidence(figure: Figure, legs: Candidates, arms: LimbPair | None, trunk: Trunk | None) -> Evidence:
    """Return the evidence `(1,)` on a figure: on the best pair of `legs`, its rivals, the body, and its
    names."""
    best = int(np.argmax(legs.merit))
    seen = {
        f"legs: {name}": float(values[best])
        for name, values in legs.seen.items()
        if name != "high for its hub"
    }
    pair = legs.best()
    seen |= (
        _rivals(figure, legs, best) | _body(figure, pair) | _above(figure, pair, arms, trunk) | _names(figure)
    )
    return {name: np.array([value]) for name, value in seen.items()}


def rivals(figure: Figure, legs: Candidates, best: int) -> np.ndarray:
    """Return the candidates `(n,)` of similar length that stand on the same floor as the best pair and share
    no bones with it."""
    rows, pairs = legs.limbs.rows, legs.pairs
    mine = np.array(
        [row for row in {*rows[pairs.one[best]].tolist(), *rows[pairs.other[best]].tolist()} if row >= 0]
    )
    related = np.zeros(len(figure.heads), dtype=bool)
    related[mine] = True
    related |= figure.is_above[mine].any(axis=0)
    theirs = np.concatenate([rows[pairs.one], rows[pairs.other]], axis=1)
    apart = ~np.where(theirs >= 0, related[theirs], False).any(axis=1)
    length = pairs.length[best]
    level = np.abs(pairs.middle[:, 2, 2] - pairs.middle[best, 2, 2]) < _SAME_GROUND * length
    alike = (pairs.length > _ALIKE * length) & (pairs.length < length / _ALIKE)
    return np.flatnonzero(apart & level & alike)


def _rivals(figure: Figure, legs: Candidates, best: int) -> dict[str, float]:
    found = rivals(figure, legs, best)
    if not len(found):
        return dict.fromkeys(_OF_RIVALS, 0.0)
    pairs, length = legs.pairs, legs.pairs.length[best]
    first = found[np.argmax(legs.merit[found])]
    away = pairs.middle[first, 0] - pairs.middle[best, 0]
    aside = norms(np.cross(pairs.across[first], pairs.across[best]))
    ahead = float(abs(away @ np.cross(pairs.across[best], UP))) / length
    values = (
        1.0,
        float(np.clip(legs.merit[first] - legs.merit[best], -20.0, 0.0)) / 10.0,
        float(ahead > _AHEAD) + min(ahead, 2.0) / 2.0,
        float(legs.seen["has a foot"][first]) / 2.0,
        float(min(pairs.length[first], length) / max(pairs.length[first], length)),
        float(pairs.hub[first] != pairs.hub[best]),
        float(np.log(min(len(np.unique(pairs.one[found])), _MANY))),
        float(aside),
    )
    return dict(zip(_OF_RIVALS, values, strict=True))


def _body(figure: Figure, pair: LimbPair) -> dict[str, float]:
    """Return the evidence on how the whole figure stands over its feet."""
    points = figure.heads[figure.skeleton.deform] if figure.skeleton.deform.any() else figure.heads
    feet, hips = pair.points[:, 2].mean(axis=0), pair.middle
    along = np.cross(pair.across, UP)
    centre = points.mean(axis=0)
    extent = np.ptp(points @ np.stack([along, pair.across, UP], axis=1), axis=0)
    return {
        "body beside its feet": float(min(abs((centre - feet) @ along) / pair.length, 3.0)),
        "long body": float(np.log(max(extent[0], 1e-9) / max(extent[2], 1e-9)).clip(-2.0, 2.0)),
        "wide body": float(np.log(max(extent[1], 1e-9) / max(extent[2], 1e-9)).clip(-2.0, 2.0)),
        "joints below the ankles": float(np.mean(points[:, 2] < feet[2] - 0.3 * pair.length)),
        "joints above the hips": float(np.mean(points[:, 2] > hips[2])),
        "deep below the feet": float(np.clip((feet[2] - points[:, 2].min()) / pair.length, 0.0, 2.0)),
        "always": 1.0,
    }


def _above(figure: Figure, pair: LimbPair, arms: LimbPair | None, trunk: Trunk | None) -> dict[str, float]:
    """Return the evidence on what stands on the legs."""
    head = trunk.head if trunk else -1
    away = figure.heads[head] - pair.middle if head >= 0 else np.zeros(3)
    return {
        "no trunk": float(trunk is None),
        "no head": float(head < 0),
        "head above the hips": float(np.clip(away[2] / pair.length, -1.0, 2.0)),
        "head ahead of the hips": float(min(norms(away[:2]) / pair.length, 3.0)),
        "spine": float(bool(trunk and trunk.spine)),
        "arms": float(arms is not None),
        "arms' merit": 0.0 if arms is None else float(np.clip(arms.merit, -5.0, 10.0)) / 10.0,
    }


def _names(figure: Figure) -> dict[str, float]:
    """Return the evidence from names: the share of leg parts that a table finds, and words of legs, of arms
    and of something else."""
    named = figure.words.max(axis=0, initial=0.0).clip(0.0, 1.5)
    legs = sum(role.split(".")[0] in ("thigh", "shin", "foot") for role in figure.votes)
    return {
        "table names legs": legs / 6.0,
        "words name legs": float(sum(named[PARTS.index(part)] for part in ("thigh", "shin", "foot"))),
        "words name arms": float(sum(named[PARTS.index(part)] for part in ("upper_arm", "forearm", "hand"))),
        "words of something else": float(np.mean(figure.words[:, OTHER] > 0.5)) if len(figure.words) else 0.0,
    }
