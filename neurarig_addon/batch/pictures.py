"""Contact sheets: a motion as a row of stick figures, seen from its right, as SVG."""

from collections.abc import Iterator

import numpy as np

from ..core.labels.label_file import Labels

FIGURES = 10
HEIGHT, WIDTH, EDGE = 90.0, 46.0, 4.0  # pixels of a sheet, of each figure, and around them
COLOURS = {"L": "#d9822b", "R": "#2b7bd9", "": "#555"}  # by side


def sheet(labels: Labels) -> str:
    """Return the sheet of labelled motions: of one its course, of several a frame each, one later than the
    other."""
    rows = np.unique(np.linspace(0, len(labels.frames) - 1, FIGURES).round().astype(int))
    if 1 < (motions := len(labels.settings)) < FIGURES:
        rows = np.flatnonzero(np.diff(labels.motion, prepend=-1))[:motions] + rows[:motions] // motions
    height = max(float(np.ptp(labels.rest[:, 2])), 1e-6)
    scale = (HEIGHT - 3 * EDGE) / (1.25 * height)
    ground = float(min(labels.rest[:, 2].min(), np.nanmin(labels.tails[rows][..., 2])))
    parts = [
        part
        for at, row in enumerate(rows)
        for part in _figure(labels, row, EDGE + (at + 0.5) * WIDTH, scale, ground)
    ]
    width = 2 * EDGE + len(rows) * WIDTH
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" viewBox="0 0 {width:g} {HEIGHT:g}"'
        f' stroke-linecap="round">{"".join(parts)}</svg>'
    )


def _figure(labels: Labels, row: int, middle: float, scale: float, ground: float) -> Iterator[str]:
    """Yield the lines of one figure about a place in the picture, the far side first."""
    roles = labels.roles.tolist()
    pelvis = labels.heads[row, roles.index("pelvis")]
    ahead = _ahead(labels, row, roles)

    def seen(points: np.ndarray) -> np.ndarray:
        across = (points - pelvis) @ ahead
        return np.stack([middle + scale * across, HEIGHT - EDGE - scale * (points[..., 2] - ground)], axis=-1)

    heads, tails = seen(labels.heads[row]), seen(labels.tails[row])
    ends = [at for at in range(len(roles)) if at not in labels.parents]
    for side in ("L", "", "R"):
        own = [at for at, role in enumerate(roles) if (role[-1] if role[-2:] in (".L", ".R") else "") == side]
        lines = [(heads[labels.parents[at]], heads[at]) for at in own if labels.parents[at] >= 0]
        lines += [(heads[at], tails[at]) for at in own if at in ends]
        path = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in lines)
        yield f'<path d="{path}" fill="none" stroke="{COLOURS[side]}" stroke-width="1.8"/>'
    for at, side in enumerate("LR"):
        if labels.contacts[row, at].any() and f"foot.{side}" in roles:
            x = heads[roles.index(f"foot.{side}"), 0]
            yield f'<path d="M{x - 4:.1f} {HEIGHT - 2:g}h8" stroke="{COLOURS[side]}" stroke-width="2"/>'


def _ahead(labels: Labels, row: int, roles: list[str]) -> np.ndarray:
    """Return the unit direction that the hips face on a frame, level."""
    across = labels.heads[row, roles.index("thigh.R")] - labels.heads[row, roles.index("thigh.L")]
    ahead = np.array([-across[1], across[0], 0.0])
    return ahead / max(float(np.linalg.norm(ahead)), 1e-9)
