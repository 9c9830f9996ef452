"""Job files: what they may say, one sentence for every mistake, and keys that change with what a cell is made
of."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

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
        ("output = ", "is not valid TOML"),
        ("workers = 2", "needs a key 'output'"),
        ('output = ""', "'output' needs a text in quotes"),
        ('output = "out"', "makes nothing; add one of [[walks]]"),
        ('output = "out"\nworkers = 0', "'workers' needs a whole number from 1 to 256, not 0"),
        ('output = "out"\nretries = true', "'retries' needs a whole number"),
        (START + 'worker = 2\n[[walks]]\nname = "a"', "has a key 'worker'"),
        (
            'worker = 2\noutput = "out"\n[[training]]\nname = "a"\narguments = ["{folder}"]',
            "did you mean 'workers'?",
        ),
        ('output = "out"\n[[walks]]\nname = "a"', "needs a character; add [[characters]]"),
        (START + "[[walks]]", "[[walks]] number 1 needs a key 'name'"),
        (START + '[[walks]]\nname = "a"\nspeed = [1.0]', "did you mean 'speeds'?"),
        (START + '[[walks]]\nname = "a"\nspeeds = ["fast"]', "'speeds' needs a list of different numbers"),
        (START + '[[walks]]\nname = "a"\nspeeds = [1.0, 1.0]', "'speeds' needs a list of different numbers"),
        (START + '[[walks]]\nname = "a"\nspeeds = [nan]', "'speeds' needs a list of different numbers"),
        (START + '[[walks]]\nname = "a"\nstyles = ["Sad", "Sad"]', "'styles' may have each text once"),
        (
            START + '[[walks]]\nname = "a"\ncharacters = ["nobody"]',
            "'characters' may name hero, villain, not 'nobody'",
        ),
        (START + '[[walks]]\nname = "a"\nformat = "obj"', "'format' must be one of fbx, glb, bvh, blend"),
        (START + '[[walks]]\nname = "a"\noptions = { moed = "travel" }', "did you mean 'mode'?"),
        (START + '[[walks]]\nname = "a"\noptions = { bake = 1 }', "the option 'bake' needs true, not 1"),
        (
            START + '[[walks]]\nname = "a"\noptions = { frames = [1] }',
            "the option 'frames' needs two whole numbers",
        ),
        (START + '[[walks]]\nname = "a"\noptions = { set = 3 }', "the option 'set' needs a table"),
        (START + '[[walks]]\nname = "a"\n[[walks]]\nname = "A"', "twice; give one of them another name"),
        (START + '[[clips]]\nname = "a"\nfiles = ["*.fbx"]', "must name files that exist"),
        (START + '[[clips]]\nname = "a"\nfiles = []', "'files' needs at least one"),
        (START + '[[clips]]\nname = "a"\nfiles = ["prints.json"]', "must name clips that end in .bvh"),
        (START + '[[datasets]]\nname = "a"', "needs a key 'count'"),
        (START + '[[datasets]]\nname = "a"\ncount = 5\ndraw = "runs"', "'draw' must be one of walks, poses"),
        (START + '[[datasets]]\nname = "a"\ncount = 1\nparts = 100000', "more than 100000 cells; split it"),
        (
            START + '[[characters]]\nname = "hero"\nfile = "hero.blend"',
            "must differ from those of other characters",
        ),
        (START.replace("villain.blend", "nobody.blend"), "'file' must be a file, seen from"),
        (START.replace("villain.blend", "one.bvh"), "'file' must end in .blend"),
        ('output = "out"\nwalks = 3', "'walks' must be written as [[walks]]"),
        ('output = "out"\n[[training]]\nname = "a"\narguments = ["train"]', "must write to {folder}"),
    ],
)
def test_a_mistake_is_one_sentence_with_the_remedy(folder: Path, text: str, sentence: str) -> None:
    with refuses() as refused:
        job(folder, text)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)
    assert "job.toml" in str(refused.value)
