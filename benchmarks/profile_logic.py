"""Logic profiles: many rows in one call, against one call for each; the largest that may be read."""

import numpy as np

from benchmarks.table import Row, best_of
from neurarig_addon.core.logic.contract import random_inputs
from neurarig_addon.core.logic.profile import FOLDER, Profile
from tests.core.long_profiles import largest

ROWS = 250
OUTPUTS = 30


def rows() -> list[Row]:
    """Measure the slowest of the shipped profiles."""
    profiles = [Profile.load(path) for path in sorted(FOLDER.glob("*.json"))]
    times = [_together_and_apart(profile) for profile in profiles]
    slowest = max(range(len(profiles)), key=lambda n: times[n][0])
    least = min(apart / together for together, apart in times)
    most = largest(sorted(FOLDER.glob("*.json"))[0].read_text(encoding="utf-8"))
    read = best_of(lambda: Profile.from_json(most), 3)
    name = f"{profiles[slowest].name}, {len(profiles[slowest].outputs)} outputs"
    return [
        Row(
            f"profile: {ROWS} rows of {OUTPUTS} outputs or more in one call",
            1e3 * times[slowest][0],
            2.0,
            "ms",
            False,
            name,
        ),
        Row("profile: the same row by row, over one call", least, 20.0, "x", True),
        Row(
            "profile: the largest that is allowed, read",
            1e3 * read,
            2_000.0,
            "ms",
            False,
            f"{len(most) >> 10} KiB",
        ),
    ]


def _together_and_apart(profile: Profile) -> tuple[float, float]:
    """Return the seconds of one call for all rows, and of a call for each."""
    inputs = random_inputs(profile, ROWS, 7)
    single = np.split(inputs, ROWS)
    together = best_of(lambda: profile.evaluate(inputs), 50)
    return together, best_of(lambda: [profile.evaluate(row) for row in single], 3)
