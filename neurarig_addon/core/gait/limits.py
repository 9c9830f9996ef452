"""What the sliders ask beyond a body's limits: a sentence for each, with what is done instead."""

import numpy as np

from .kinds.law import duty_bounds, shortest_stride
from .sliders.manner import stride_factor
from .steps.footsteps import BOTH
from .walker import Walker
from .way.strides import steps_of

SAME = 1e-3  # relative tolerance


def held_back(walker: Walker, frame: float) -> tuple[str, ...]:
    """Return a sentence for each thing asked of a walker at a frame that it does not do."""
    frames = np.array([frame])
    seconds = walker.clock.seconds(frames)
    speed = float(walker.rhythm.speed_at(seconds)[0])
    if speed <= 0.0:
        return ()
    return (*_duty(walker, frames, seconds), *_cadence(walker, frames, seconds, speed))


def _duty(walker: Walker, frames: np.ndarray, seconds: np.ndarray) -> tuple[str, ...]:
    law, wish = walker.gait.law, walker.step_manner(np.broadcast_to(frames[:, None], (1, 2)))
    natural = law.duty(walker.inputs.for_law(seconds)[:, None], BOTH)
    low, high = (float(bound.ravel()[0]) for bound in duty_bounds(law, natural))
    wanted = float((natural * wish.duty_factor).mean())
    if low - SAME <= wanted <= high + SAME:
        return ()
    asked, runs = (
        f"Time on Ground asks for feet on the ground for {100.0 * wanted:.0f} % of a stride",
        natural.mean() < 0.5,
    )
    if wanted < low:
        cure = "Set Gait to Run, or raise it." if law.contacts.takes_turns and not runs else "Raise it."
        return (f"{asked}; {100.0 * low:.0f} % is the least. {cure}",)
    cure = "Set Gait to Walk, or lower it." if law.contacts.takes_turns and runs else "Lower it."
    return (f"{asked}; {100.0 * high:.0f} % is the most. {cure}",)


def _cadence(walker: Walker, frames: np.ndarray, seconds: np.ndarray, speed: float) -> tuple[str, ...]:
    leg, law = walker.body.leg_length, walker.gait.law
    slow = walker.inputs.for_law(seconds)
    wanted = float(
        (law.stride(slow) * steps_of(walker.build, walker.gait, slow) * stride_factor(walker.track, frames))[
            0
        ]
    )
    shortest = float(shortest_stride(np.array(speed), leg))
    longest = law.longest_stride * leg
    if wanted > longest * (1.0 + SAME):
        cure = (
            "Raise Step Rate, lower Speed, or set Gait to Run."
            if not law.runs
            else "Raise Step Rate, or lower Speed."
        )
        return (f"Strides of {wanted:.3g} m are asked for; these legs reach {longest:.3g} m. {cure}",)
    if wanted < shortest * (1.0 - SAME):
        asked_steps, steps = (
            120.0 * law.contacts.of_a_foot * speed / stride for stride in (wanted, shortest)
        )
        return (
            f"{asked_steps:.0f} steps a minute are asked for; these legs take {steps:.0f}. "
            "Lower Step Rate or Speed, or raise Stride Length.",
        )
    return ()
