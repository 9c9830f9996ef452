"""Command lines: what they print, how they end, and what the file is then."""

import json
import shlex
from collections.abc import Callable, Sequence
from functools import partial

import bpy
import numpy as np

from neurarig_addon.blender import api
from tests.blender.command_line import run
from tests.blender.leading import curve, linked, sheet
from tests.blender.record.characters import RIGS
from tests.blender.record.scenarios import Case
from tests.blender.record.seen import Seen
from tests.blender.recording import points_of, write_csv
from tests.blender.retargeting import actor

FRAMES = (1, 9)
GROUPS = 4  # scenarios for all lines
WALKS = (
    "walk --speed 1.3 --mode travel --frames 1 24 --bake --report r.json --set energy=0.25",
    "walk --armature Hero --gait run --frames 3 12 --bake --target both --keys dense",
    "walk --preset Heavy --style Sad=0.5 --style March --bake --loop --push-nla",
    "walk --path Way --ground Hill --arrive 90 --marker 1@30+0.5 --marker 2 --start-turn 40 --end-turn -30 --frames 1 12 --bake",
    "walk --path Way --in-stride --travel-with bone --look-at Thing --controls fk",
    "walk --mode travel --face Thing --stand-on Thing --facing 20 --seed 3 --person 4 --set variation=1 --set individual=1",
    "walk --profile",
    "walk --preset Nobody",
    "walk --set wings=2",
    "walk --set energy=high",
    "walk --set energy",
    "walk --speed nan",
    "walk --speed fast",
    "walk --frames 20 10 --bake",
    "walk --frames 1 x",
    "walk --frames 1 9999999999",
    "walk --path Nothing",
    "walk --ground Nothing",
    "walk --look-at Nothing",
    "walk --output walk.mp4",
    "walk --output none/walk.blend",
    "walk --report none/r.json",
    "walk --report .",
    "walk --marker x",
    "walk --marker 1@x",
    "walk --armature Nobody",
    "walk --armature Horse",
    "walk --prints none.json",
    "walk --style Nobody",
    "walk --style Sad=x",
    "walk --style =1",
    "walk --mode fly",
    "walk --gait hop --hop-on left --lead right",
    "walk --arrive 20",
    "walk --keys editable --step 2 --bake",
    "walk --tolerance 9 --bake --keys editable",
    'walk --profile "Plain Biped" --mode travel --bake --frames 1 10',
    "walk --preset ''",
    "walk --seed x",
    "dance",
    "",
    "detect",
    "detect --armature Nobody",
    "walk --mode travel --travel-with bone --frames 1 6 --bake --output out.bvh",
    "walk --mode travel --frames 1 6 --bake --output out.blend",
)
CLIPS = (
    "retarget --target Hero --source Actor --action Walk --report r.json --fit-range",
    "retarget --target Hero --source Actor --all-actions --controls ik --root object --begin-here --start 3 --step 2",
    "retarget --target Hero --file clip.npz --follow places --no-contacts --mirror --stride 1.2 --arm-spacing 5",
    "retarget --target Hero --folder . --report r.json",
    "retarget --target Hero",
    "retarget --target Hero --source Nobody",
    "retarget --target Hero --file none.bvh",
    "retarget --target Hero --source Actor --action Nothing",
    "retarget --target Hero --file clip.npz --action Walk",
    'retarget --target Hero --source Actor --all-actions --output "{clip}.blend"',
    "retarget --target Hero --source Actor --all-actions --output one.blend",
    "retarget --target Hero --source Actor --output out.bvh --action Walk",
    "retarget --target Hero --source Actor --stride x",
    "encode --armature Actor --output e.npz",
    "encode --armature Actor --action Walk --output e.csv",
    "encode --armature Actor --output e.txt",
    "encode --output e.npz",
    "style learn --armature Actor --name Low",
    "style list",
    "style learn none.bvh --name None",
    "style learn --armature Actor",
    "style learn --name Low --action Walk",
    "style learn --armature Actor --action Nothing --name Low",
    "style",
    "solve --armature Hero --points points.csv --noise 3 --no-mend --frames 4",
    "solve --armature Hero --points points.csv --report r.json --no-contacts --no-resize",
    "solve --armature Hero --points none.csv",
    "solve --armature Hero --points points.csv --map wrist.L=Nobody",
    "solve --armature Hero --points points.csv --controls ik",
    "pose --armature Actor --output pose.npz --frames 5 9",
    "pose --armature Actor --output pose.npz --frames 9 5",
    "pose --armature Actor --output pose.txt",
    "pose --armature Actor --output pose.npz",
)


def walks() -> None:
    """Make who walks, and what they may be asked for."""
    RIGS["animated"]()
    curve([(0.0, 0.0), (0.0, -2.0), (1.0, -3.0)], "BEZIER")
    sheet("Hill", lambda x, _y: 0.03 * x, reach=5.0, cells=6)
    linked("Thing", None).location = (2.0, -4.0, 1.5)


def clips(folder_of: Seen) -> None:
    """Make who acts and who follows, and files of both."""
    source, action = actor()
    action.name = "Walk"
    write_csv(folder_of.folder / "points.csv", points_of(source, range(5, 20)))
    RIGS["other"]()
    api.encode_action(source, folder_of.folder / "clip.npz", action)


def told(lines: Sequence[str], begin: Callable[[Seen], None], seen: Seen) -> None:
    """Run command lines one after the other, and look at the file and at what was written."""
    begin(seen)
    for line in lines:
        seen.ask(run, *shlex.split(line))
        seen.look(*FRAMES)
    for path in sorted(seen.folder.glob("*.json")):
        seen.note(path.name, json.loads(path.read_text(encoding="utf-8")))
    for path in sorted(seen.folder.glob("e.*")) + sorted(seen.folder.glob("pose.npz")):
        seen.note(path.name, dict(np.load(path)) if path.suffix == ".npz" else path.read_text(encoding="utf-8"))
    seen.note("written", sorted(path.name for path in seen.folder.iterdir()))


def help_of(seen: Seen) -> None:
    """Ask every command for its help."""
    for command in ("", "walk", "detect", "retarget", "encode", "style", "solve", "pose"):
        seen.ask(run, *command.split(), "--help")


def several(seen: Seen) -> None:
    """Name no armature where there are several, and none."""
    seen.ask(run, "walk")
    RIGS["bones"]()
    RIGS["other"]()
    seen.ask(run, "walk")
    seen.ask(run, "detect", "--armature", "Hero")
    seen.note("scene", sorted(obj.name for obj in bpy.context.scene.objects))


def cases() -> dict[str, Case]:
    """Return the scenarios by name."""
    return {
        **{f"walks {first}": partial(told, WALKS[first::GROUPS], lambda _seen: walks()) for first in range(GROUPS)},
        **{f"clips {first}": partial(told, CLIPS[first::GROUPS], clips) for first in range(GROUPS)},
        "help": help_of,
        "several": several,
    }
