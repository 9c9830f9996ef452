"""Find the settings that are best for the baselines: python -m benchmarks.neural_ik.tuning [--data FOLDER].

The prior is fitted to the training subjects and every setting judged on the validation subjects, by the mean angle of the observable
joints; the best ones are written into `methods`.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from benchmarks.neural_ik.conditions import NOISES_MM, Condition, all_joints
from benchmarks.neural_ik.evaluate import OBSERVABLE, errors_of
from benchmarks.neural_ik.gaussian_lm import GaussianLM
from benchmarks.neural_ik.latent_fit import LatentFit
from benchmarks.neural_ik.people import Poses, distinct, mocap_folder, recorded
from benchmarks.neural_ik.plain_poses import Solver
from benchmarks.neural_ik.prior import PRIOR_EVERY, PosePrior
from neurarig_addon.training.pose.poses import TRAINING, VALIDATION

_LM_WEIGHTS = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
_LM_LEAST_MM = (0.3, 1.0, 3.0)
_LATENT_WEIGHTS = (1e-7, 1e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3)
_LM_POSES, _LATENT_POSES = 100, 8  # for each body


def main() -> None:
    """Print the error of each setting at each noise, the best one first."""
    parser = argparse.ArgumentParser(description="Find the settings that are best for the baselines.")
    parser.add_argument("--data", type=Path, default=None, help="folder of the motion capture")
    folder = mocap_folder(parser.parse_args().data)
    prior = PosePrior.of(distinct(recorded(folder, TRAINING, PRIOR_EVERY)))
    clips = recorded(folder, VALIDATION)
    many, few = distinct(clips, _LM_POSES), distinct(clips, _LATENT_POSES)
    for noise in NOISES_MM:
        settings = [(weight, least) for weight in _LM_WEIGHTS for least in (_LM_LEAST_MM if noise < 5 else (1.0,))]
        _judge("LM", noise, many, ((str(setting), GaussianLM(prior, {noise: setting})) for setting in settings))
        fits = ((f"{weight:g}", LatentFit(prior, {noise: weight}, tolerance=1e-7)) for weight in _LATENT_WEIGHTS)
        _judge("latent", noise, few, fits)


def _judge(name: str, noise: int, people: list[Poses], solvers: Iterable[tuple[str, Solver]]) -> None:
    condition = Condition(f"{noise} mm", noise, all_joints)
    found = []
    for setting, solver in solvers:
        errors = errors_of(solver, [condition.problem(poses, 0) for poses in people])
        found.append((errors.turn[:, OBSERVABLE].mean(), setting))
    print(f"{name:7s} {noise:3.0f} mm  " + "  ".join(f"{setting}: {error:.2f}" for error, setting in sorted(found)), flush=True)


if __name__ == "__main__":
    main()
