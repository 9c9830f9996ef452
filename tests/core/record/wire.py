"""The link: packets whole and damaged, handshakes, clients that are known, and what they are answered frame by frame."""

from collections.abc import Callable
from random import Random

import numpy as np

from examples.link_client import request
from neurarig_addon.core.logic.contract import random_inputs
from neurarig_addon.core.logic.profile import FOLDER
from neurarig_addon.link import handshake, packets
from neurarig_addon.link.brains import OnlineBrains
from neurarig_addon.link.contract import TimeMode
from neurarig_addon.link.refusals import Counts, Refusal
from neurarig_addon.link.server import Server, Status
from neurarig_addon.link.sessions import Listeners, Session, Sessions
from neurarig_addon.link.teacher import Teacher
from tests.core.record.condensed import Answer
from tests.core.record.rules import loaded
from tests.core.record.skeletons import asked


def packed() -> Answer:
    """Return packets, and what is said of damaged ones."""
    draw, found = Random(5), {}
    numbers = np.random.default_rng(5).normal(size=11)
    whole = [
        packets.encode_frame(numbers),
        packets.encode_answer(np.tile(numbers, 3)[:30]),
        packets.encode_targets(np.tile(numbers, 3)[:30]),
    ]
    whole.append(packets.encode_handshake(request("plain", ["a", "b"], ["c"], TimeMode.DELTA)))
    for number in range(150):
        packet = bytearray(draw.choice(whole))
        for _ in range(draw.randint(0, 2)):
            at = draw.randrange(len(packet))
            packet[at : at + draw.randint(0, 3)] = draw.choice(
                (b"", b"\xff\xff\xff\x7f", b"\x00", b"{", b"NaN", bytes([draw.randrange(256)]))
            )
        data = bytes(packet[: draw.choice((len(packet), len(packet) - 1, 4, 1))])
        read = [asked(lambda data=data: packets.header_of(data)), packets.is_ping(data)]
        read += [_refusal(lambda data=data, count=count: packets.decode_floats(data, packets.header_of(data), count)) for count in (11, 30)]
        found[f"{number}"] = [*read, _refusal(lambda data=data: packets.decode_handshake(data))]
    return {"whole": whole, "damaged": found}


def _refusal(question: Callable[[], object]) -> object:
    """Return an answer, or the kind of its refusal."""
    try:
        return question()
    except Exception as error:
        return [type(error).__name__, str(getattr(error, "refusal", ""))]


def shaken() -> Answer:
    """Return who is welcome."""
    one, draw, found = loaded("1_plain_biped"), Random(6), {}
    right = request(one.name, one.inputs, one.outputs, TimeMode.CYCLE)
    other = {
        "protocol": (1, 2, "1"),
        "profile": (one.name, "other", 3),
        "inputs": (11, 12, list(one.inputs), list(one.inputs)[::-1], {}, True),
        "outputs": (30, 29, list(one.outputs), list(one.outputs)[:4]),
        "time": ("auto", "delta", "cycle", "x", 3),
    }
    for number in range(60):
        message = dict(right)
        for key in draw.sample(sorted(other), 2):
            message[key] = draw.choice(other[key])
        found[f"{number}"] = asked(lambda message=message: str(handshake.check(message, one)))
    return {"request": right, "checked": found, "accepted": [handshake.accepted(one, TimeMode.AUTO, True), handshake.rejected("why")]}


def taught(name: str) -> Callable[[], Answer]:
    """Return what clients are answered, frame by frame, of two bodies and with times of both kinds."""

    def answer() -> Answer:
        one = loaded(name)
        teacher, sessions, found = Teacher(one, OnlineBrains.of(one)), Sessions(), []
        frames = random_inputs(one, 2, 7)
        mode = {"a": TimeMode.DELTA, "b": TimeMode.CYCLE, "c": TimeMode.AUTO}
        for number in range(36):
            for client in mode:
                session = sessions.welcome((client, 1), float(number))
                session.clock.mode = mode[client]
                sent = frames[int(client == "c")].copy()
                sent[-2:] = (1 / 60.0, 1 / 60.0) if client != "b" else (number / 60.0 % 0.7, number / 60.0)
                sent[0] = frames[0, 0] * (1.0 + 0.01 * number)
                inputs = _refusal(lambda sent=sent, session=session: teacher.inputs_of(session, sent))
                if isinstance(inputs, np.ndarray):
                    found.append([inputs, _refusal(lambda inputs=inputs: teacher.targets(inputs))])
                    found.append(_refusal(lambda inputs=inputs, session=session: teacher.outputs(session, sessions, inputs)))
                else:
                    found.append(inputs)
        learners = [[learner.loss, learner.solving] for learner in sessions.learners()]
        return {"answers": found, "learners": learners, "silent": sessions.forget_silent(1e4)}

    return answer


def known() -> Answer:
    """Return who is remembered, and for how long."""
    draw, sessions, listeners, found = Random(8), Sessions(), Listeners(), []
    for number in range(400):
        address, now = (f"host {draw.randrange(90)}", draw.randrange(3)), 0.7 * number
        kind = draw.randrange(6)
        if kind < 3:
            found.append(_refusal(lambda address=address, now=now: sessions.welcome(address, now).last_seen))
            listeners.welcome(address, now)
        elif kind == 3:
            found.append(None if sessions.touch(address, now) is None else "known")
            found.append(sorted(map(str, listeners.beside(address, now))))
        elif draw.random() < 0.2:
            found.append([sessions.forget_silent(now), len(sessions)])
            listeners.forget_silent(now)
            found.append(len(listeners))
    counts = Counts(refused={refusal: n % 3 for n, refusal in enumerate(Refusal)})
    body = np.arange(8.0)
    session = Session(0.0, body=body)
    return {
        "found": found,
        "addresses": sessions.addresses(),
        "counts": [counts.all_refused, counts.refusals()],
        "bodies": [session.has_body(body), session.has_body(body + 1e-9), session.has_body(body + 0.5), session.solving],
    }


def served() -> Answer:
    """Return what a server without traffic says of itself."""
    one = loaded("1_plain_biped")
    with Server(one, None, port=0, debug_port=None) as server:
        first = Status(server).line()
        server.poll()
        return {"line": first, "published": server.publish(np.zeros(30)), "debug": server.debug_address is None}


def cases() -> dict[str, Callable[[], Answer]]:
    """Return the scenarios by name."""
    names = [path.stem for path in sorted(FOLDER.glob("*.json"))]
    return {
        "packets": packed,
        "handshakes": shaken,
        **{f"taught {name}": taught(name) for name in names[:2]},
        "known": known,
        "served": served,
    }
