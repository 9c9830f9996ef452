"""What a game engine does to let a character go on by itself: the exported network, a past, and what the
player wishes.

    python -m neurarig_addon.training sequence export out/sequence.ts python examples/sequence_engine.py
    out/sequence.ts walk.bvh --seconds 20 --speed 1.2 --turn 30 --output out/goes_on.npz

The network is a plain torch::jit module, so `roll_out` reads the same in C++ with LibTorch. Reading the clip,
and writing what came of it
as a clip that *Retarget* can read, is NeuraRig's.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.ikrig import storage
from neurarig_addon.core.ikrig.resample import resample
from neurarig_addon.core.retarget.source import encode_clip
from neurarig_addon.core.sequence.rows import PARTS, Rows, encoding_of, rows_of
from neurarig_addon.core.skeleton.bvh import read_bvh


def roll_out(
    network: torch.jit.ScriptModule,
    told: dict[str, str],
    past: torch.Tensor,
    seconds: float,
    speed: float,
    turn: float,
) -> torch.Tensor:
    """Return the frames `(f, columns)` after a past `(1, f, columns)`, at metres a second, turning to the
    left by radians a second."""
    rate, every = float(told["rate"]), int(told["every"])
    angle = turn * int(told["ahead"]) / rate  # of the arc that is wished of the next second
    chord = (
        speed * (np.sinc(angle / np.pi) if angle else 1.0),
        speed * (1.0 - np.cos(angle)) / angle if angle else 0.0,
    )
    wish = torch.tensor([[*chord, np.sin(angle), np.cos(angle)]], dtype=torch.float32)
    manner, frames = network.manner(past), []
    with torch.no_grad():
        for block in range(round(seconds * rate / every)):
            # lead: 1 or -1 for a start from standing
            predicted, lead = torch.tensor([float(block * every)]), torch.zeros(1)
            new = network(past, manner, predicted, lead, wish)[:, :every]
            past = torch.cat([past[:, every:], new], dim=1)
            frames.append(new[0])
    return torch.cat(frames)


def main() -> None:
    """Let a clip go on, and write what comes after it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", type=Path)
    parser.add_argument("clip", type=Path)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--speed", type=float, default=1.2, help="metres a second on a leg of 0.82 m")
    parser.add_argument("--turn", type=float, default=0.0, help="degrees a second, to the left")
    parser.add_argument("--output", type=Path, default=Path("goes_on.npz"))
    options = parser.parse_args()

    extra = {"metadata.json": ""}
    network = torch.jit.load(str(options.network), _extra_files=extra)
    told = json.loads(extra["metadata.json"])
    clip = read_bvh(options.clip)
    encoding = resample(encode_clip(Character.of(clip.skeleton), clip), float(told["rate"]))
    known = rows_of(encoding)
    count = int(told["past"])
    last = known[np.maximum(np.arange(len(known) - count, len(known)), 0)]
    past = torch.tensor(
        np.concatenate([getattr(last, part) for part in PARTS], axis=1)[None], dtype=torch.float32
    )

    frames = (
        roll_out(network, told, past, options.seconds, options.speed, np.radians(options.turn))
        .double()
        .numpy()
    )
    ends = np.cumsum(list(json.loads(told["columns"]).values()))[:-1]
    rows = Rows(*np.split(frames, ends, axis=1))
    goes_on = encoding_of(rows, np.zeros(2), 0.0, options.clip.stem)
    storage.save(options.output, goes_on)
    way = goes_on.ground[-1] - goes_on.ground[0]
    print(
        f"{len(goes_on)} frames, {np.linalg.norm(way):.2f} hips heights as the crow flies: {options.output}"
    )


if __name__ == "__main__":
    main()
