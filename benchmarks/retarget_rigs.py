"""One recorded walk on every biped of the shared rigs, measured on the evaluated pose: python -m benchmarks
retarget_rigs."""

from benchmarks.table import Row
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.recorded_walk import allowed_share, retargeted, slip_mm
from tests.shared_rigs import STANDING

CONTROLS = ("FK", "IK")


def rows() -> list[Row]:
    """Measure every standing biped on FK bones and on IK controls, and print each."""
    found = []
    for controls in CONTROLS:
        worst_slip = worst_reach = 0.0
        refused = []
        for row in STANDING:
            try:
                report = retargeted(row, controls)
            except NeuraRigError as refusal:
                refused.append(f"{row['file']}: {refusal}")
                continue
            slip, reach = allowed_share(report), report["reach"] or 0.0
            worst_slip, worst_reach = max(worst_slip, slip), max(worst_reach, reach)
            print(line(row["file"], controls, report))
        note = "; ".join(refused)
        found += [
            Row(
                f"recorded walk on {len(STANDING)} rigs, {controls}: refused",
                len(refused),
                0,
                "rigs",
                note=note,
            ),
            Row(
                f"recorded walk on {len(STANDING)} rigs, {controls}: slip, as a share of 1 mm or 0.1 % of"
                " the leg",
                worst_slip,
                1.0,
                "",
            ),
            Row(
                f"recorded walk on {len(STANDING)} rigs, {controls}: greatest reach", worst_reach, 1.0, "legs"
            ),
        ]
    return found


def line(file: str, controls: str, report: dict) -> str:
    """Return one rig's figures."""
    reach = "one bone" if report["reach"] is None else f"{report['reach']:.4f}"
    return (
        f"{file:44s} {controls} leg {report['leg_length_m']:8.3f} m  slip {slip_mm(report):8.4f} mm "
        f" penetration {report['penetration_mm']:8.3f} mm  reach {reach}  past"
        f" {', '.join(report['past_limits']) or '-'}"
    )
