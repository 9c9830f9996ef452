"""The answers to a frame: the ideal targets that a profile computes, and the prediction of the body's own
learner."""

from math import isfinite

import numpy as np

from ..core.errors import NeuraRigError
from ..core.logic.profile import Profile
from .contract import Contract, PacketError, Refusal
from .sessions import Learner, NewBrain, Session, Sessions


class Teacher:
    """A profile and the factory of brains for new bodies; without that nothing is learned."""

    def __init__(self, profile: Profile, new_brain: NewBrain | None):
        self.profile = profile
        self.contract = Contract(profile.inputs)
        self._new_brain = new_brain

    def inputs_of(self, session: Session, sent: np.ndarray) -> np.ndarray:
        """Return the inputs `(n,)` that a sent frame stands for, with the contract's times."""
        return session.clock.inputs_of(sent, self.contract, self._stride_time)

    def targets(self, inputs: np.ndarray) -> np.ndarray:
        """Return the ideal targets `(m,)`; raises PacketError if the profile has none, as for a walk at zero
        speed."""
        try:
            with np.errstate(all="ignore"):
                targets = self.profile.evaluate(inputs[None])[0]
        except (NeuraRigError, ArithmeticError, ValueError) as error:
            raise _unanswerable(f"the profile says: {error}") from None
        if not np.isfinite(targets).all():
            raise _unanswerable("its ideal targets are not finite")
        return targets

    def outputs(self, session: Session, sessions: Sessions, inputs: np.ndarray) -> np.ndarray | None:
        """Return the prediction of a client's learner `(m,)`, or None while it trains; raises PacketError if
        it fails or is not finite."""
        if self._new_brain is None:
            return None
        try:
            with np.errstate(all="ignore"):
                learner = self._learner(session, sessions, inputs[self.contract.body], self._new_brain)
                outputs = learner.answer(inputs, self.targets)
        except PacketError:
            raise
        except (NeuraRigError, ArithmeticError, ValueError) as error:
            raise _unanswerable(f"the network says: {error}") from None
        if outputs is not None and not np.isfinite(outputs).all():
            session.learner = None
            raise _unanswerable("the network's outputs are not finite; it starts over")
        return outputs

    @staticmethod
    def _learner(session: Session, sessions: Sessions, body: np.ndarray, new_brain: NewBrain) -> Learner:
        """Return the learner of a client's present body: that of a client with an equal body, or a new
        one."""
        if session.learner is None or not session.has_body(body):
            session.learner = sessions.learner_of(body) or Learner(new_brain(), new_brain.warm)
            session.body = body
        return session.learner

    def _stride_time(self, inputs: np.ndarray) -> float | None:
        """Return the seconds of a stride at inputs `(n,)`, or None if the profile does not define it or the
        character stands."""
        period = self.profile.period(inputs[None])
        if period is None or not (isfinite(period[0]) and period[0] > 0.0):
            return None
        return float(period[0])


def _unanswerable(why: str) -> PacketError:
    return PacketError(Refusal.UNANSWERABLE, f"A frame has no answer: {why}.")
