"""Which bones constraints move."""

import bpy


def moved_by(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> set[str]:
    """Return the bones that a constraint of `bone` moves directly."""
    if constraint.type not in {"IK", "SPLINE_IK"}:
        return {bone.name}
    chain = [bone, *bone.parent_recursive]
    if constraint.type == "IK" and not constraint.use_tail:
        chain = chain[1:]
    return {link.name for link in chain[: constraint.chain_count or None]}
