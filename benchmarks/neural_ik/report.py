"""The table: markdown between two marks of docs/internals/neural-ik.md, JSON with all figures, and the
figures to reach, met or not."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.neural_ik.clips import Figures
from benchmarks.neural_ik.conditions import NOISES_MM, PROPORTIONS
from benchmarks.neural_ik.evaluate import OBSERVABLE
from benchmarks.neural_ik.metrics import Errors
from benchmarks.neural_ik.sequences import Trembling
from benchmarks.neural_ik.solvers import OURS
from benchmarks.table import Row

BEGIN, END = "<!-- table: python -m benchmarks.neural_ik -->", "<!-- end of table -->"
_LIMITS = dict(zip(NOISES_MM, (3.0, 5.0, 7.0, 10.0, 14.0), strict=True))


@dataclass
class Results:
    """Everything that one run has measured."""

    frames: int = 0
    people: int = 0
    errors: dict[str, dict[str, Errors]] = field(default_factory=dict)  # solver -> condition -> errors
    speed: dict[str, dict[str, float]] = field(default_factory=dict)  # solver -> "1", "10", "100" -> frames/s
    trembling: dict[str, Trembling] = field(default_factory=dict)
    # rate and noise, or person -> way -> figures
    clips: dict[str, dict[str, Figures]] = field(default_factory=dict)


def summary(errors: Errors) -> dict[str, float]:
    """Return the figures of some frames by name: degrees, and mm for the places."""
    seen, leaves = errors.turn[:, OBSERVABLE], errors.turn[:, ~OBSERVABLE]
    return {
        "turn": float(seen.mean()),
        "leaves": float(leaves.mean()),
        "local": float(errors.local[:, OBSERVABLE].mean()),
        "swing": float(errors.swing[:, OBSERVABLE].mean()),
        "twist": float(errors.twist[:, OBSERVABLE].mean()),
        "p95": float(np.percentile(seen, 95.0)),
        "place": float(errors.place.mean()),
    }


def floors(results: Results) -> list[Row]:
    """Return the figures to reach, measured."""
    turns = {condition: summary(errors) for condition, errors in results.errors[OURS].items()}
    clean = turns["0 mm"]
    rows = [
        Row(f"error at {noise} mm", turns[f"{noise} mm"]["turn"], limit, "deg")
        for noise, limit in _LIMITS.items()
    ]
    rows += [
        Row("twist error, no noise", clean["twist"], 2.5, "deg"),
        Row("MPJPE after FK, no noise", clean["place"], 1.0, "mm"),
    ]
    shift = max(turns[name]["turn"] for name in PROPORTIONS) - clean["turn"]
    rows.append(Row("change of proportions, the worst", shift, 0.2, "deg"))
    return [*rows, Row("one frame at a time", results.speed[OURS]["1"], 4000.0, "fps", at_least=True)]


def markdown(results: Results, rows: list[Row]) -> str:
    """Return all tables as markdown."""
    parts = [
        f"{results.frames} poses of {results.people} people from whom nothing was learned; three draws of"
        " noise; 22 joints shown.\n"
    ]
    noises = [f"{noise} mm" for noise in NOISES_MM]
    parts += [
        "**Angle of the 17 observable joints** (mean, degrees) by noise of the points\n",
        _angles(results, noises),
    ]
    parts += ["**Without noise**: degrees, and mm on a body of 1.75 m\n", _details(results)]
    sparse = [
        name
        for name in results.errors[OURS]
        if "missing" in name or "six" in name or name.startswith(("no ", "end sites"))
    ]
    parts += [
        "**Points missing, or the five ends added**: observable joints / head, hands and toes\n",
        _pairs(results, sparse),
    ]
    parts += [
        "**Other proportions**, no retraining, no noise: observable joints\n",
        _angles(results, list(PROPORTIONS)),
    ]
    parts += ["**Frames a second**, one core, rotations in the parent joint included\n", _speeds(results)]
    parts += [
        "**Trembling**: three seconds of each person, 10 mm of noise drawn anew for every frame\n",
        _trembling(results),
    ]
    parts += [
        (
            "**Whole recordings**, refined: every frame alone / the recording mended first, as *Solve Mocap*"
            " does\n"
        ),
        _clips(results),
    ]
    parts += ["**The figures to reach**\n", _verdicts(rows)]
    return "\n".join(parts)


def _table(head: list[str], lines: list[list[str]]) -> str:
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *lines)) + "\n"


def _each(results: Results, conditions: list[str], text: Callable[[dict[str, float]], str]) -> str:
    lines = [
        [name, *(text(summary(errors[condition])) for condition in conditions)]
        for name, errors in results.errors.items()
    ]
    return _table(["", *conditions], lines)


def _angles(results: Results, conditions: list[str]) -> str:
    return _each(results, conditions, lambda found: f"{found['turn']:.2f}")


def _pairs(results: Results, conditions: list[str]) -> str:
    return _each(results, conditions, lambda found: f"{found['turn']:.1f} / {found['leaves']:.1f}")


def _details(results: Results) -> str:
    names = {
        "turn": "global",
        "p95": "95 %",
        "local": "in the parent",
        "swing": "swing",
        "twist": "twist",
        "leaves": "head, hands, toes",
        "place": "MPJPE, mm",
    }
    lines = []
    for solver, errors in results.errors.items():
        found = summary(errors["0 mm"])
        lines.append([solver, *(f"{found[name]:.2f}" for name in names)])
    return _table(["", *names.values()], lines)


def _speeds(results: Results) -> str:
    names = {
        "1": "one at a time",
        "1 noisy": "one at a time, 10 mm",
        "10": "10 in a call",
        "100": "100 in a call",
    }
    lines = [
        [method, *(f"{found[name]:,.0f}" if name in found else "" for name in names)]
        for method, found in results.speed.items()
    ]
    return _table(["", *names.values()], lines)


def _trembling(results: Results) -> str:
    lines = [[name, f"{found.jerk:.0f}", f"{found.angle:.2f}"] for name, found in results.trembling.items()]
    return _table(["", "mean jerk, m/s³", "angle, degrees"], lines)


def _clips(results: Results) -> str:
    heads = [
        "",
        "angle, degrees",
        "jerk over the recording's",
        "slip of standing feet, mm/s",
        "speed at the fastest over the recorded",
    ]
    lines = []
    for name, ways in results.clips.items():
        one, other = ways.values()
        cells = [
            (one.angle, other.angle),
            (one.jerk, other.jerk),
            (one.slip, other.slip),
            (one.speed, other.speed),
        ]
        lines.append(
            [
                name,
                *(
                    f"{alone:.{digits}f} / {made:.{digits}f}"
                    for (alone, made), digits in zip(cells, (2, 2, 0, 2), strict=True)
                ),
            ]
        )
    return _table(heads, lines)


def _verdicts(rows: list[Row]) -> str:
    lines = [
        [
            row.what,
            f"{row.value:.4g} {row.unit}",
            f"{'≥' if row.at_least else '≤'} {row.limit:.4g}",
            "met" if row.passed else "**not met**",
        ]
        for row in rows
    ]
    return _table(["", "measured", "to reach", ""], lines)


def put_into(document: Path, text: str) -> None:
    """Replace what stands between the two marks of a document; they are added at its end where it has
    none."""
    old = document.read_text(encoding="utf-8") if document.exists() else ""
    if BEGIN not in old or END not in old:
        old = f"{old.rstrip()}\n\n{BEGIN}\n{END}\n".lstrip()
    before, rest = old.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    document.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def save(results: Results, rows: list[Row], path: Path) -> None:
    """Write every figure to a JSON file."""
    content = {
        "poses": results.frames,
        "people": results.people,
        "errors": {
            solver: {name: summary(one) for name, one in found.items()}
            for solver, found in results.errors.items()
        },
        "frames_per_second": results.speed,
        "trembling": {name: asdict(found) for name, found in results.trembling.items()},
        "clips": {
            name: {way: asdict(found) for way, found in ways.items()} for name, ways in results.clips.items()
        },
        "figures": [asdict(row) | {"met": bool(row.passed)} for row in rows],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
