"""The 0x01 handshake: a client describes its rig, the server accepts it or replies with one sentence why
not."""

from collections.abc import Mapping, Sequence

from ..core.logic.profile import Profile
from .contract import TimeMode
from .packets import PROTOCOL, encode_handshake
from .refusals import PacketError, Refusal


def is_reply(message: Mapping[str, object]) -> bool:
    """Return whether a message answers a handshake: two servers would else answer each other for ever."""
    return "accept" in message


def fitting(reply: Mapping[str, object], room: int) -> bytes | None:
    """Return the packet of a reply in at most `room` bytes, with counts instead of names or only its `accept`
    if need be, else None.

    Who forges a sender's address could else have it flooded with far more than he sends.
    """
    counted = {key: len(value) if isinstance(value, list) else value for key, value in reply.items()}
    forms = (encode_handshake(form) for form in (reply, counted, {"accept": reply["accept"]}))
    return next((packet for packet in forms if len(packet) <= room), None)


def check(message: Mapping[str, object], profile: Profile) -> TimeMode:
    """Return the time mode a client asks for; raises PacketError, saying why, if its message does not fit the
    profile.

    Every entry is optional, and entries unknown to this version are ignored.
    """
    if message.get("protocol", PROTOCOL) != PROTOCOL:
        raise _misfit(f"This server speaks protocol {PROTOCOL}; the client's 'protocol' differs.")
    if message.get("profile", profile.name) != profile.name:
        raise _misfit(
            f"This server runs the profile '{profile.name}'; load the same one in the client, or leave"
            " 'profile' out."
        )
    time = message.get("time", TimeMode.AUTO)
    if time not in list(TimeMode):
        raise _misfit(f"The entry 'time' must be one of {', '.join(TimeMode)}.")
    for key, names in (("inputs", profile.inputs), ("outputs", profile.outputs)):
        if key in message:
            _check_numbers(key, message[key], names)
    return TimeMode(time)


def accepted(profile: Profile, time: TimeMode, solving: bool) -> dict[str, object]:
    """Return the reply to an accepted client: everything it needs to know of the profile."""
    return {
        "accept": True,
        "protocol": PROTOCOL,
        "profile": profile.name,
        "version": profile.version,
        "inputs": list(profile.inputs),
        "outputs": list(profile.outputs),
        "time": str(time),
        "state": "solving" if solving else "training",
    }


def rejected(reason: str) -> dict[str, object]:
    """Return the reply to a rejected client."""
    return {"accept": False, "protocol": PROTOCOL, "reason": reason}


def _check_numbers(key: str, found: object, names: Sequence[str]) -> None:
    """Compare a client's `inputs` or `outputs`, a count or a list of names, with the profile's names."""
    if isinstance(found, list) and all(isinstance(name, str) for name in found):
        for n, (theirs, ours) in enumerate(zip(found, names, strict=False)):
            if theirs != ours:
                raise _misfit(
                    f"Number {n} of the {key} is '{ours}' in this profile; the client's name differs."
                )
        found = len(found)
    if type(found) is not int:
        raise _misfit(f"The entry '{key}' must be a count or a list of names.")
    if found != len(names):
        raise _misfit(f"This profile has {len(names)} {key}; the client has a different number of them.")


def _misfit(sentence: str) -> PacketError:
    return PacketError(Refusal.MISFIT, sentence)
