"""What names of bones mean: plain and short names, renamed bones found again, tables of conventions."""

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from neurarig_addon.core.detection.conventions import TABLES, read_convention
from neurarig_addon.core.detection.words import word_votes
from neurarig_addon.core.skeleton.naming import plain_names, shortened
from neurarig_addon.core.skeleton.renames import Bones, renamed
from tests.core.record.asking import asked
from tests.core.record.condensed import Answer


def renamings() -> Answer:
    """Return which bones of drawn ones are taken for which after somebody has renamed, moved and added some."""
    answers = {}
    for seed in range(12):
        draw = np.random.default_rng(seed)
        count = 14
        names, parents = [f"bone {n}" for n in range(count)], tuple(int(draw.integers(-1, n)) if n else -1 for n in range(count))
        rest, marks = draw.normal(size=(count, 3, 3)), tuple("mark" if draw.random() < 0.2 else "" for _ in names)
        now, places = list(names), rest.copy()
        for n in draw.choice(count, 6, replace=False):
            now[n] = f"new {n}" if draw.random() < 0.6 else now[n]
            places[n] += draw.normal(0.0, 0.2, (3, 3)) * (draw.random() < 0.4)
        first, second = draw.choice(count, 2, replace=False)
        now[first], now[second] = now[second], now[first]
        answers[f"{seed}"] = renamed(Bones(tuple(names), parents, marks, rest), Bones(tuple(now), parents, marks, places))
    return answers


def named() -> Answer:
    """Return what names mean."""
    stems = (
        "mixamorig:LeftUpLeg",
        "thigh.L.001",
        "Bip01 R Finger0",
        "lThighBend",
        "CC_Base_L_CalfTwist01",
        "hip_r_jnt",
        "Rückgrat_02",
        "J_Bip_C_Chest",
        "toeBase.R",
        "DEF-upper_arm.L",
        "ValveBiped.Bip01_Spine4",
        "arm stretch l",
        "左足",
        "ORG-spine.005",
        "UpLegL",
        "leftfoot",
        "x",
        "",
    )
    names = plain_names(stems)
    return {"plain": names, "short": shortened(names), "words": word_votes(stems)}


def tables() -> Answer:
    """Return rig conventions as they are read, whole and damaged."""
    found: dict[str, object] = {}
    with TemporaryDirectory() as folder:
        for path in sorted(TABLES.glob("*.json")):
            draw, table = np.random.default_rng(len(path.stem)), json.loads(path.read_text(encoding="utf-8"))
            found[path.stem] = asdict(read_convention(path))
            for number in range(6):
                bad = {**table, "bones": dict(table["bones"])}
                part = str(draw.choice(sorted(bad["bones"])))
                match number:
                    case 0:
                        bad["bones"][f"{part}s"] = bad["bones"].pop(part)
                    case 1:
                        bad["bones"][part] = [3]
                    case 2:
                        bad["sides"] = {"left": ["left", "L"]}
                    case 3:
                        bad["spare"] = {"x": 1}
                    case 4:
                        bad["bones"][part] = "one name"
                    case _:
                        del bad["bones"]
                place = Path(folder) / path.name
                place.write_text(json.dumps(bad), encoding="utf-8")
                found[f"{path.stem} {number}"] = asked(lambda place=place: asdict(read_convention(place)))
    return {"tables": found}
