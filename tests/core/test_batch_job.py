"""Job files: what they may say, one sentence for every mistake, and keys that change with what a cell is made
of."""

import json
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from neurarig_addon.batch import options
from neurarig_addon.batch.job_file import Job, read_job
from tests.refusals import refuses

START = """
output = "out"
[[characters]]
name = "hero"
file = "hero.blend"
[[characters]]
name = "villain"
file = "villain.blend"
armature = "Rig"
"""
WALKS = """
[[walks]]
name = "stroll"
styles = ["", "Sad=0.5"]
speeds = [1.0, 1.4]
options.mode = "travel"
options.frames = [1, 48]
options.bake = true
options.set = { lean = -2.0, energy = 0.5 }
options.marker = ["3@40"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("hero.blend", "villain.blend", "one.bvh", "two.bvh", "prints.json"):
        (tmp_path / name).write_text(name)
    return tmp_path


def job(folder: Path, text: str) -> Job:
    (folder / "job.toml").write_text(text)
    return read_job(folder / "job.toml")


def test_every_character_walks_in_every_style_at_every_speed(folder: Path) -> None:
    cells = job(folder, START + WALKS).cells
    assert Counter(cell.axes["character"] for cell in cells) == {"hero": 4, "villain": 4}
    assert (
        len({(*cell.axes.values(),) for cell in cells})
        == len({cell.name for cell in cells})
        == len({cell.key for cell in cells})
        == 8
    )
    hero = next(cell for cell in cells if cell.name == "hero-stroll-Sad_0.5-1.4")
    assert hero.command("/job", "/made") == [
        *(
            "walk",
            "--style=Sad=0.5",
            "--speed=1.4",
            "--mode=travel",
            "--frames",
            "1",
            "48",
            "--bake",
            "--set=lean=-2",
            "--set=energy=0.5",
        ),
        *("--marker=3@40", *(f"--{name}=/made/{hero.name}.{ending}" for name, ending in RESULTS)),
    ]
    assert "--armature=Rig" in next(cell for cell in cells if cell.axes["character"] == "villain").arguments


RESULTS = (("report", "json"), ("labels", "npz"), ("output", "fbx"))


def test_clips_sets_data_sets_and_training(folder: Path) -> None:
    text = """
[[clips]]
name = "mocap"
files = ["*.bvh"]
characters = ["hero"]
[[sets]]
name = "game"
options = { convention = "unity" }
[[datasets]]
name = "random"
parts = 3
count = 5
seed = 10
[[training]]
name = "net"
arguments = ["train", "--walks", "1", "--epochs", "1", "--out", "{folder}/net.safetensors"]
"""
    cells = job(folder, START + text).cells
    assert Counter(cell.kind for cell in cells) == {"clips": 2, "sets": 2, "datasets": 6, "training": 1}
    assert sorted(cell.axes["item"] for cell in cells if cell.kind == "clips") == ["one.bvh", "two.bvh"]
    assert {cell.axes["seed"] for cell in cells if cell.kind == "datasets"} == {"10", "11", "12"}
    assert cells[-1].command("/job", "/made")[-1] == "/made/net/net.safetensors" and cells[-1].file == ""


def test_keys_follow_content_and_not_place(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    before = {cell.title: cell.key for cell in job(folder, START + WALKS).cells}
    elsewhere = tmp_path_factory.mktemp("moved") / "job"
    shutil.copytree(folder, elsewhere)
    assert {cell.title: cell.key for cell in read_job(elsewhere / "job.toml").cells} == before
    (folder / "hero.blend").write_text("another hero")
    after = {cell.title: cell.key for cell in read_job(folder / "job.toml").cells}
    assert {title for title in before if before[title] != after[title]} == {
        title for title in before if "hero" in title
    }
    leaning = {cell.title: cell.key for cell in job(elsewhere, START + WALKS.replace("-2.0", "-3.0")).cells}
    assert all(leaning[title] != key for title, key in before.items())


def test_files_among_the_options_count_as_well(folder: Path) -> None:
    text = START + '[[walks]]\nname = "a"\noptions = { prints = "prints.json" }\n'
    before = job(folder, text).cells
    assert "--prints=/job/prints.json" in before[0].command("/job", "/made")
    (folder / "prints.json").write_text("others")
    assert all(
        cell.key != old.key for cell, old in zip(read_job(folder / "job.toml").cells, before, strict=True)
    )


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("workers = 2", "needs a key 'output'"),
        ('output = ""', "'output' needs a text in quotes"),
        ('output = "out"', "makes nothing; add one of [[walks]]"),
        ('output = "out"\n[[walks]]\nname = "a"', "needs a character; add [[characters]]"),
        (START + '[[walks]]\nname = "a"\nspeeds = [1.0, 1.0]', "'speeds' needs a list of different numbers"),
        (START + '[[walks]]\nname = "a"\nstyles = ["Sad", "Sad"]', "'styles' may have each text once"),
        (START + '[[walks]]\nname = "a"\n[[walks]]\nname = "A"', "twice; give one of them another name"),
        (START + '[[clips]]\nname = "a"\nfiles = ["*.fbx"]', "must name files that exist"),
        (START + '[[clips]]\nname = "a"\nfiles = []', "'files' needs at least one"),
        (START + '[[clips]]\nname = "a"\nfiles = ["prints.json"]', "must name clips that end in .bvh"),
        (START + '[[datasets]]\nname = "a"', "needs a key 'count'"),
        (START + '[[datasets]]\nname = "a"\ncount = 1\nparts = 100000', "more than 100000 cells; split it"),
        (
            START + '[[characters]]\nname = "hero"\nfile = "hero.blend"',
            "must differ from those of other characters",
        ),
        (START.replace("villain.blend", "nobody.blend"), "'file' must be a file, seen from"),
        (START.replace("villain.blend", "one.bvh"), "'file' must end in .blend"),
        ('output = "out"\nwalks = 3', "'walks' must be written as [[walks]]"),
        ('output = "out"\n[[training]]\nname = "a"\narguments = ["train"]', "must write to {folder}"),
        ('output = "out"\n[[training]]\nname = "a"\narguments = ["{folder}"]', "the training has no"),
        (START + '[[walks]]\nname = "a"\noptions = { frames = [9, 1] }', "its last after its first"),
    ],
)
def test_a_mistake_is_one_sentence_with_the_remedy(folder: Path, text: str, sentence: str) -> None:
    with refuses() as refused:
        job(folder, text)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)
    assert "job.toml" in str(refused.value)


TABLES = {
    "walk": '[[walks]]\nname = "a"\n',
    "retarget": '[[clips]]\nname = "a"\nfiles = ["one.bvh"]\n',
    "set": '[[sets]]\nname = "a"\n',
}
KEYS = (  # what is right, and what is written in its place
    ('workers = 2', "wokrers = 2"), ("workers = 2", "workers = 0"),
     ('name = "hero"', 'nmae = "hero"'), ("seconds = 60", "seconds = 0.5"),
    ('styles = ["Sad=1.2"]', 'styles = ["Sadd=1.2"]'),
    ("speeds = [1.0]", "speeds = [-1.0]"),
    ("speeds = [1.0]", "speed = [1.0]"), ('format = "fbx"', 'format = "fbz"'),
    ("labels = true", 'labels = "yes"'),
    ('characters = ["hero"]', 'characters = ["heor"]'), ('draw = "walks"', 'draw = "wlaks"'),
     ('"trainee", "learn"', '"trainee", "laern"'), ('"--steps=5"', '"--stpes=5"'),
     ('"--out={folder}/a.pt"', '"--uot={folder}/a.pt"'),
)  # fmt: skip
WHOLE = f"""
workers = 2
retries = 1
seconds = 60
{START}
[[walks]]
name = "a"
styles = ["Sad=1.2"]
speeds = [1.0]
format = "fbx"
labels = true
characters = ["hero"]
[[datasets]]
name = "b"
count = 5
draw = "walks"
parts = 2
[[training]]
name = "c"
arguments = ["trainee", "learn", "--human", "--steps=5", "--out={{folder}}/a.pt"]
"""


def right_and_wrong(told: dict[str, Any], draw: Random) -> tuple[object, object, str]:
    """Return a value that an option takes, one that it does not, and what is said of that."""
    words = told.get("words") or told.get("names") or sorted(told.get("limits", {})) or ["Thing"]
    word, near = draw.choice(words), draw.random() < 0.7
    if told["reads"] == "Switch":
        return True, draw.choice(["yes", 1]), "true or false"
    if told["reads"] == "Slider":
        value = max(told["limits"][word][0] or 0.0, 0.0)
        return {word: value}, {misspelled(word, draw): value} if near else {word: 1e9}, word
    if told["reads"] == "Number":
        least, most = told["least"], told["most"]
        value = min(max(1, least or 1), 1 if most is None else most)
        limit = least if most is None or draw.random() < 0.5 else most
        return value, "fast" if limit is None else limit - 1 if limit == least else limit + 1, ""
    if told["reads"] in ("Marker", "ActOnWay"):
        right = "3@40+2" if told["reads"] == "Marker" else "JUMP@3,length=1"
        return (
            right,
            right.replace(*draw.choice([("3", "3q"), ("@", ";"), ("2", "-1"), ("1", "x")])) + "?",
            "",
        )
    return (
        word,
        3 if told["reads"] == "Name" or not near else misspelled(word, draw),
        "text" if not near else "",
    )


def misspelled(word: str, draw: Random) -> str:
    at = draw.randrange(len(word) - 1)
    return draw.choice(
        [word[:at] + word[at] + word[at:], word[:at] + word[at + 1 :] if len(word) > 4 else word + "x"]
    )


def as_written(name: str, told: dict[str, Any], value: object) -> str:
    """Return a line of a job with an option."""
    value = [value] if told.get("many") and not isinstance(value, dict) else value
    value = [value] * told["count"] if "count" in told and not isinstance(value, list) else value
    text = json.dumps(value)
    return f"options.{name} = {text.replace(': ', ' = ') if isinstance(value, dict) else text}\n"


def test_sixty_drawn_misspellings_are_refused_before_anything_runs(folder: Path) -> None:
    draw = Random(51)
    drawn = [(WHOLE, WHOLE.replace(right, wrong, 1), "") for right, wrong in KEYS]
    every = [(command, name) for command in TABLES for name in options.known(command) if name != "prints"]
    for command, name in draw.sample(every, 60 - len(KEYS)):
        told, start = options.known(command)[name], START + TABLES[command]
        right, wrong, said = right_and_wrong(told, draw)
        good, bad = (start + as_written(name, told, value) for value in (right, wrong))
        if draw.random() < 0.3:
            bad, said = start + as_written(misspelled(name, draw), told, right), f"did you mean '{name}'"
        drawn.append((good, bad, said))
    for good, bad, said in drawn:
        assert good != bad and job(folder, good).cells
        with refuses() as refused:
            job(folder, bad)
        sentence = str(refused.value)
        assert "job.toml" in sentence and "'" in sentence and "\n" not in sentence and said in sentence, bad
