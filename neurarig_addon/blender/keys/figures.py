"""The tolerance of few keys, and their figures as custom properties of the action."""

from typing import Any

from bpy.types import Action

from ...core.errors import NeuraRigError
from ...core.files.json_text import is_finite
from ...core.report.jolts import AT_LEAST, past_limits
from . import reduction

KEYS, DENSE = "keys", "dense_keys"
OFF_MM, OFF_DEGREES, SLIP_MM = "off_mm", "off_degrees", "slip_mm"
FIGURES = (KEYS, DENSE, OFF_MM, OFF_DEGREES, SLIP_MM)

TOLERANCE = 0.005  # metres
LEAST, MOST = 0.0001, 0.1  # metres: range of the tolerance
MANY = 0.5  # share of dense keys above which there is little to edit


def require_tolerance(tolerance: object) -> None:
    """Raise NeuraRigError for a tolerance that is not a length within the range."""
    if not is_finite(tolerance) or not LEAST <= tolerance <= MOST:  # type: ignore[operator]
        raise NeuraRigError(
            f"The tolerance '{tolerance}' is not between {LEAST} and {MOST} m. Use one such as {TOLERANCE}."
        )


def note(action: Action, found: "reduction.Reduction") -> None:
    """Store the figures of a reduction with the action that holds its keys."""
    action[KEYS], action[DENSE] = found.keys, found.dense
    action[OFF_MM], action[OFF_DEGREES], action[SLIP_MM] = (
        round(found.off_mm, 3),
        round(found.off_degrees, 3),
        round(found.slip_mm, 3),
    )


def allowed(report: dict[str, Any], action: Action | None) -> dict[str, Any]:
    """Return a contact report with limits widened by the deviations stored with the playing action, if it has
    few keys."""
    if action is None or not is_finite(action.get(SLIP_MM)) or not is_finite(action.get(OFF_MM)):
        return report
    off = action[OFF_MM]
    room = {"slip_mm": action[SLIP_MM], "penetration_mm": off, "toe_clearance_mm": off, "seam_m": 2e-3 * off}
    more = {name: room.get(name, 0.0) * (-1.0 if name in AT_LEAST else 1.0) for name in report["limits"]}
    limits = {name: limit + more[name] for name, limit in report["limits"].items()}
    return report | {"limits": limits, "past_limits": past_limits(report, limits)}


def sentence(action: Action) -> str:
    """Return the figures as a sentence, '' for an action without any."""
    if KEYS not in action:
        return ""
    share = action[KEYS] / max(action[DENSE], 1)
    words = (
        f"{action[KEYS]} keys instead of {action[DENSE]} ({share:.0%}): joints within "
        f"{action[OFF_MM]:.1f} mm, turns within {action[OFF_DEGREES]:.1f}°, slip {action[SLIP_MM]:.1f} mm."
    )
    return (
        words
        if share <= MANY
        else f"{words} The motion needs most of its keys at this tolerance: raise Tolerance for fewer."
    )
