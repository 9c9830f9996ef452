"""Motion that is told its speed and turn on every frame, as a game does: what a frame costs, and how its feet
stand on the ground."""

import numpy as np

from benchmarks.table import Row, best_of
from neurarig_addon.core.sequence.figure import figure
from neurarig_addon.core.sequence.lower_body import feet_of
from neurarig_addon.core.sequence.stream import Stream, StreamMoment

SECONDS, CHANGES_S = 60.0, 3.0
FRAMES = 60  # of which the cost is measured at once
ENGINES = (30.0, 60.0, 144.0)  # frames a second


def rows() -> list[Row]:
    """Measure the cost of a frame, and slip and penetration in a minute of play at some frame rates."""
    stream = Stream()
    cost = best_of(lambda: [stream.frame(1.3, 0.3) for _ in range(FRAMES)], 40) / FRAMES
    found = [Row("stream: a frame at 30 a second", 1e3 * cost, 0.5, "ms")]
    for fps in ENGINES:
        moments = played(fps)
        points = np.concatenate(
            [figure().sole.points(feet_of(moment.footing.body.feet)) for moment in moments]
        )
        planted = np.array([moment.footing.planted for moment in moments])
        way = np.linalg.norm(np.diff(points[:, :, :2], axis=0), axis=-1)
        slip, sunk = way[planted[1:] & planted[:-1]].max(), -points[..., 2].min()
        note = (
            f"a foot stands on {planted.any(axis=2).mean():.0%} of the frames, none on"
            f" {(~planted.any(axis=(1, 2))).mean():.0%}"
        )
        found += [
            Row(f"stream at {fps:g} Hz: slip of what stands", 1e3 * float(slip), 0.5, "mm", note=note),
            Row(f"stream at {fps:g} Hz: penetration", 1e3 * float(max(sunk, 0.0)), 1.0, "mm"),
        ]
    return found


def played(fps: float) -> list[StreamMoment]:
    """Return a minute of walks, runs, stands and circles that change every few seconds."""
    stream, draw = Stream(), np.random.default_rng(0)
    told = [
        (draw.choice([0.0, 0.7, 1.2, 1.6, 2.2]), draw.choice([0.0, 0.0, 0.6, -1.0]))
        for _ in range(int(SECONDS / CHANGES_S) + 1)
    ]
    return [
        stream.advance(1.0 / fps, *map(float, told[int(frame / fps / CHANGES_S)]))
        for frame in range(round(SECONDS * fps))
    ]
