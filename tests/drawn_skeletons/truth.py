"""What a detection has not right, by the truth about a skeleton."""

from collections.abc import Mapping

from neurarig_addon.core.skeleton.roles import NECK, SPINE, RoleMap

Truth = Mapping[str, frozenset[str]]  # role -> bones that may play it


def wrong_roles(truth: Truth, found: RoleMap | None) -> list[str]:
    """Return the roles that another bone plays than may, that nothing plays, or that something plays though
    the body lacks the part.

    The links of a spine and of a neck count as sets: which of them is the second does not matter; the chest
    is the last link.
    """
    if found is None:
        return sorted(truth)
    wrong = []
    for role in sorted({*truth, *(role for role, bone in found.bones.items() if bone)}):
        stem = role.split(".")[0]
        if stem not in (SPINE, NECK):
            bone = found.get(role)
            wrong += [role] if (bone not in truth[role] if role in truth else bool(bone)) else []
    for stem, chain in ((SPINE, found.spine()), (NECK, found.neck())):
        links = [role for role in truth if role.split(".")[0] == stem]
        missing = [role for role in links if not truth[role] & set(chain)]
        allowed = frozenset().union(*(truth[role] for role in links)) if links else frozenset()
        wrong += missing + [f"{stem}.extra{k}" for k, bone in enumerate(chain) if bone not in allowed]
    return wrong
