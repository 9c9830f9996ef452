"""Prints in somebody's hand: edits drawn at random, what they become, why legs cannot, and their files."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from neurarig_addon.core.character.body import LEFT, RIGHT
from neurarig_addon.core.gait.inputs.print_edits import PrintEdit, PrintEdits
from neurarig_addon.core.gait.prints.edited_steps import edited_steps
from neurarig_addon.core.gait.prints.print_file import from_text, load_prints, save_prints, to_text
from neurarig_addon.core.gait.prints.print_places import edits_for, places_of, prints_at, prints_within, touches_of
from neurarig_addon.core.gait.prints.print_shapes import reasons
from neurarig_addon.core.gait.sliders.style import Style, StyleTrack
from neurarig_addon.core.gait.synthesis import walked
from neurarig_addon.core.gait.walker import Walker
from neurarig_addon.core.geometry.rotation import about_x, about_y, about_z
from tests.core.record.condensed import Answer
from tests.core.record.grounds import HILLS
from tests.core.record.skeletons import asked
from tests.core.record.somehow import ADULT, RUNNING
from tests.core.record.walks import FRAMES, everything_keyed, seen, walker
from tests.core.walk_grounds import flight
from tests.core.walk_paths import PATHS
from tests.core.walk_styles import keyed

MOST = {"along": 0.15, "aside": 0.12, "height": 0.08, "yaw": 0.5, "slope": 0.12, "bank": 0.12, "touch": 0.08, "lift": 0.08}


def drawn(seed: int, count: int = 5, size: float = 1.0, held: float = 0.25) -> PrintEdits:
    """Return edits of some of the first prints."""
    draw = np.random.default_rng(seed)
    prints = draw.permutation([(side, number) for side in (LEFT, RIGHT) for number in range(-1, 6)])[:count]
    found = []
    for side, number in prints:
        offsets = {name: float(size * most * draw.uniform(-1.0, 1.0)) for name, most in MOST.items()}
        found.append(PrintEdit(int(side), int(number), held=bool(draw.random() < held), **offsets))
    return PrintEdits.of(found)


def edited(who: Walker, seed: int, **given: Any) -> Callable[[], Answer]:
    """Return a walk over edited prints, and what its steps are."""

    def answer() -> Answer:
        walking = replace(who, edits=drawn(seed, **given))
        steps = edited_steps(walking, np.arange(-1.0, 7.0)[:, None] + [0.2, 1.7])
        return {
            **seen(walked(walking, FRAMES)),
            "reasons": [[row, side, re.findall(r"\d+\.?\d*", words)] for row, side, words in reasons(walking, steps)],
        }

    return answer


def in_hand() -> Answer:
    """Return where prints are, and the edits that bring them elsewhere."""
    who = replace(walker({"speed": 1.1}, PATHS["S"], HILLS), edits=drawn(3))
    keys = [(side, number) for number in (0, 1, 2, 9, 30) for side in (LEFT, RIGHT)]
    prints = places_of(who, keys)
    draw = np.random.default_rng(3)
    moved, edits = prints.place + draw.uniform(-0.1, 0.1, prints.place.shape), [PrintEdit(*key) for key in keys]
    turned = [angle + draw.uniform(-0.1, 0.1, len(keys)) for angle in (prints.heading, prints.slope, prints.bank)]
    axes = about_z(turned[0]) @ about_y(turned[1]) @ about_x(turned[2])
    found = [edits_for(who, edits, moved, axes, np.full(len(keys), on_ground)) for on_ground in (True, False)]
    at = [prints_at(who, frame) for frame in (-20.0, 1.0, 33.3, 70.0)]
    return {
        "prints": prints,
        "touches": touches_of(who, keys),
        "edits": found,
        "at": at,
        "within": prints_within(who, 10.0, 77.0),
    }


def filed() -> Answer:
    """Return edits as written and read again, of a body of another size."""
    text = to_text(drawn(4, 8), ADULT.leg_length)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "prints.json"
        save_prints(path, drawn(5, 6), ADULT.leg_length)
        kept = load_prints(path, 1.3).edits
    draw, bad = Random(4), []
    for _ in range(60):
        entry = {
            "side": "left",
            "number": 2,
            "along": 0.1,
            draw.choice(("yaw", "held", "extra", "touch")): draw.choice((True, 0.2, "x", 9.0)),
        }
        entry[draw.choice(sorted(entry))] = draw.choice((0.1, "right", 7, -3, None, True, 1e9, [1]))
        bad.append(asked(lambda entry=entry: from_text(text.replace("[", f"[{json.dumps(entry)},", 1), 1.0).edits))
    edits = drawn(6, 8, held=0.6)
    among = [edits.among(np.array(first), np.array(last)).edits for first, last in (((0, 1), (2, 4)), ((-9, -9), (9, 9)), ((3, 0), (2, 0)))]
    return {
        "kept": kept,
        "bad": bad,
        "among": among,
        "runs": edits.runs,
        "text": text,
        "read": from_text(text, 2.0).edits,
        "scaled": drawn(4).scaled(1.7).edits,
        "mirrored": [e.mirrored for e in drawn(4).edits],
    }


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    stops = keyed("speed", [8, 30, 50, 62, 84, 100], [0.0, 1.3, 1.2, 0.0, 0.0, 0.9])
    return {
        "straight": edited(walker({"speed": 1.1}), 0),
        "straight, far": edited(walker({"speed": 1.1}), 1, count=8, size=3.0),
        "held": edited(walker({"speed": 1.1}), 2, count=8, held=0.7),
        "path over hills": edited(walker(everything_keyed(), PATHS["S"], HILLS), 3),
        "stairs": edited(walker({"speed": 1.0}, ground=flight(0.16, 0.3, 1.0, 5)), 4, size=0.4),
        "start and stop": edited(walker(stops), 5),
        "a run": edited(walker({"speed": 2.8}, gait=RUNNING), 6, size=0.6),
        "facing aside": edited(walker(StyleTrack(Style(speed=0.8, facing=60.0))), 7, size=0.6),
        "in hand": in_hand,
        "filed": filed,
    }
