"""A character that is told speed and turn, played from one ONNX file: no server, no Blender, no NeuraRig.

    python -m neurarig_addon.training sequence export --driven driven.onnx
    python -m pip install onnxruntime numpy
    python examples/driven_engine.py driven.onnx --svg walk.svg

An engine does the same: a state goes in, the next fifth of a second and the next state come out. Tensors,
units and frames: docs/internals/sequence.md.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnxruntime

TOLD = (
    (2.0, 0.0, 0.0),
    (4.0, 1.3, 0.0),
    (4.0, 1.3, 0.8),
    (3.0, 2.4, 0.0),
    (3.0, 0.0, 0.0),
)  # seconds, m/s, radians a second
STAND = ("in the air", "heel", "flat", "ball", "toes")
BONES = {"leg": (0.41, 0.41), "arm": (0.29, 0.25)}  # metres, of the figure
SCALE = 90.0  # points a metre, of the picture


class Character:
    """The character: `told` speed and turn, it answers with frames."""

    def __init__(self, file: Path) -> None:
        self.session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        self.names = [one.name for one in self.session.get_outputs()]
        self.columns = json.loads(self.session.get_modelmeta().custom_metadata_map["chains"])
        self.state = np.zeros(self.session.get_inputs()[0].shape)  # zeros: it begins, standing

    def told(self, speed: float, turn: float) -> dict[str, np.ndarray]:
        """Return the next frames by name, at 30 a second."""
        given = {"state": self.state, "told": np.array([speed, turn])}
        frames = dict(zip(self.names, self.session.run(None, given), strict=True))
        self.state = frames.pop("next_state")
        return frames

    def lines(self, frames: dict[str, np.ndarray], row: int) -> list[np.ndarray]:
        """Return the lines of a stick figure in the world, in metres: trunk and head, then legs and arms."""
        cos, sin = np.cos(frames["headings"][row]), np.sin(frames["headings"][row])
        turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])

        def told(part: str) -> np.ndarray:
            return turn @ frames["poses"][row, slice(*self.columns[part])]

        pelvis = frames["pelvis"][row]
        chest = pelvis + told("spine effector")
        neck = chest + told("neck root")
        lines = [np.array([pelvis, chest, neck, neck + told("neck effector")])]
        for side, name in enumerate("LR"):
            hip, ankle, foot = (frames[part][row, side] for part in ("hips", "ankles", "foot_turns"))
            knee = middle(hip, ankle, told(f"leg.{name} up"), *BONES["leg"])
            lines.append(np.array([pelvis, hip, knee, ankle, ankle + foot @ [0.15, 0.0, -0.06]]))
            shoulder = chest + told(f"arm.{name} root")
            hand = shoulder + told(f"arm.{name} effector")
            elbow = middle(shoulder, hand, told(f"arm.{name} up"), *BONES["arm"])
            lines.append(np.array([neck, shoulder, elbow, hand]))
        return lines


def middle(root: np.ndarray, end: np.ndarray, up: np.ndarray, upper: float, lower: float) -> np.ndarray:
    """Return where a limb's middle joint is, to the side of `up`, by the law of cosines."""
    far = np.linalg.norm(end - root)
    line, far = (end - root) / far, min(far, upper + lower)
    along = (far**2 + upper**2 - lower**2) / (2.0 * far)
    aside = up - (up @ line) * line
    return root + along * line + np.sqrt(max(upper**2 - along**2, 0.0)) * aside / np.linalg.norm(aside)


def drawn(figures: list[list[np.ndarray]], file: Path) -> None:
    """Draw figures from the side, the ground under them, as an SVG."""
    seen = [[SCALE * (line @ [[1.0, 0.0], [0.35, 0.2], [0.0, -1.0]]) for line in lines] for lines in figures]
    every = np.concatenate([line for lines in seen for line in lines])
    low, high = every.min(axis=0) - 10.0, every.max(axis=0) + 10.0
    shapes = [
        f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in line)}"/>'
        for lines in seen
        for line in lines
    ]
    view = f"{low[0]:.0f} {low[1]:.0f} {high[0] - low[0]:.0f} {high[1] - low[1]:.0f}"
    style = 'fill="none" stroke="#335" stroke-width="2" stroke-linejoin="round"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}"><g {style}>'
    file.write_text("\n".join([head, *shapes, "</g></svg>\n"]), encoding="utf-8")


def main() -> None:
    """Stand, walk, turn, run and stop, and say what happens."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--svg", type=Path, help="a picture of it, five figures a second")
    options = parser.parse_args()
    character, figures, seconds = Character(options.file), [], 0.0
    for lasts, speed, turn in TOLD:
        for _ in range(round(lasts * 5)):
            frames = character.told(speed, turn)
            seconds += 0.2
            figures.append(character.lines(frames, -1))
        x, y, heading = frames["root"][-1]
        feet = ", ".join(
            f"{side} {STAND[on]}" for side, on in zip(("left", "right"), frames["pivots"][-1], strict=True)
        )
        where = f"at {x:.2f}, {y:.2f} m, heading {np.degrees(heading):.0f} degrees; {feet}"
        print(f"{seconds:5.1f} s  told {speed:.1f} m/s, {turn:+.1f} rad/s: {where}")
    if options.svg:
        drawn(figures, options.svg)


if __name__ == "__main__":
    main()
