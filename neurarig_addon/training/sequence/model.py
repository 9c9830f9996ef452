"""The network of `core/sequence` in torch: the same numbers in, the same numbers out, for many motions at
once, and their joints."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from ...core.ikrig.anatomy import Anatomy
from ...core.ikrig.encoding import LIMBS
from ...core.sequence import network as core
from ...core.sequence.figure import figure
from ...core.sequence.network import COMPONENTS, INPUTS, OUTPUTS, SIGNALS, TERMS, SequenceWeights
from ...core.sequence.rows import COLUMNS
from .windows import Windows

TOES = [7, 11]  # which of the figure's joints they are, left and right
_DIGITS = 8  # of weights, binary ones
_STRAIGHT = 0.9995  # chain lengths: longer limbs are straight


def _constant(values: np.ndarray) -> Tensor:
    return torch.tensor(np.ascontiguousarray(values), dtype=torch.float32)


@dataclass(frozen=True)
class Components:
    """The main components of poses: `mean` `(WIDTH,)`, `basis` `(COMPONENTS, WIDTH)`, `scale` `(SIGNALS,)` of
    them and of steps."""

    mean: Tensor
    basis: Tensor
    scale: Tensor

    @classmethod
    def of(cls, windows: Windows) -> "Components":
        """Return the components of the poses that lessons end on."""
        rows = np.unique(windows.last)
        poses = windows.poses[rows].astype(float)
        mean = poses.mean(axis=0)
        _, axes = np.linalg.eigh(np.cov(poses - mean, rowvar=False))
        basis = axes[:, ::-1][:, :COMPONENTS].T
        moves = np.concatenate(
            [(poses - mean) @ basis.T, windows.steps[rows], windows.contacts[rows]], axis=1
        )
        scale = moves.std(axis=0)
        return cls(_constant(mean), _constant(basis), _constant(scale))


class SequenceModel(nn.Module):
    """The network: layers of ELU between the core's inputs and its answers."""

    def __init__(self, components: Components, width: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.components = components
        widths = [INPUTS, *[width] * layers, OUTPUTS]
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))
        self.dropout = nn.Dropout(dropout)
        # it begins with what goes on as now and as a stride ago
        nn.init.normal_(self.layers[-1].weight, std=2e-3)
        nn.init.zeros_(self.layers[-1].bias)
        for name in ("PAST", "ONCE", "ANSWERS", "TAKES_OVER", "SPREAD"):
            self.register_buffer(name.lower(), _constant(getattr(core, name)))
        self.register_buffer("fading", _constant(core.fading()))

    @classmethod
    def of(cls, weights: SequenceWeights) -> "SequenceModel":
        """Return the network with given weights."""
        components = Components(*(_constant(getattr(weights, name)) for name in ("mean", "basis", "scale")))
        model = cls(components, len(weights.layers[0][1]), len(weights.layers) - 1, 0.0)
        for layer, (weight, bias) in zip(model.layers, weights.layers, strict=True):
            layer.weight.data, layer.bias.data = _constant(weight), _constant(bias)
        return model

    def forward(self, seen: Tensor, once: Tensor, manner: Tensor, known: Tensor, wish: Tensor) -> Tensor:
        """Return the signals `(n, AHEAD, SIGNALS)` after those seen `(n, SEEN, SIGNALS)`; see
        `core.sequence.network`.

        `once` `(n, AHEAD, SIGNALS)`: a stride ago; `manner` `(n, 2, SIGNALS)`; `known` `(n, 4)`: how alike it
        is, whether there is one, what share of the frames seen is predicted, and the foot that goes first;
        `wish` `(n, WISHES)`.
        """
        last, change = seen[:, -1], seen[:, -1] - seen[:, -2]
        past = torch.einsum("nfs,ft->nst", seen - last[:, None], self.past).flatten(1)
        stride = torch.einsum("nfs,ft->nst", once - last[:, None], self.once).flatten(1)
        x = torch.cat([past, last, core.QUICK * change, stride, manner.flatten(1), known, wish], dim=1)
        for layer in self.layers[:-1]:
            x = self.dropout(nn.functional.elu(layer(x)))
        answer = self.layers[-1](x)
        trust = torch.sigmoid(answer[:, None, SIGNALS * TERMS :]) * self.takes_over
        goes_on = last[:, None] + change[:, None] * self.fading[None, :, None]
        terms = answer[:, : SIGNALS * TERMS].view(-1, SIGNALS, TERMS)
        found = (1.0 - trust) * goes_on + trust * once + torch.einsum("nst,ft->nfs", terms, self.answers)
        scale = self.components.scale[core.WAY]
        steps = self._fulfilled(found[..., core.WAY] * scale, wish) / scale
        return torch.cat([found[..., :COMPONENTS], steps, found[..., COMPONENTS + 3 :]], dim=-1)

    def _fulfilled(self, steps: Tensor, wish: Tensor) -> Tensor:
        """Return steps `(n, AHEAD, 3)` that lead where wishes `(n, WISHES)` say; see
        `core.sequence.network.Wish`."""
        sine, cosine = wish[:, 2], wish[:, 3]
        is_told = (sine**2 + cosine**2)[:, None]
        turned = steps[..., 2].sum(dim=-1)
        lacks = torch.atan2(
            sine * torch.cos(turned) - cosine * torch.sin(turned),
            cosine * torch.cos(turned) + sine * torch.sin(turned) + 1e-12,
        )
        turns = steps[..., 2] + is_told * lacks[:, None] * self.spread
        way = torch.cat([steps[..., :2], turns[..., None]], dim=-1)
        lacks = (is_told * (wish[:, :2] - placed(way)[:, -1, :2]))[:, None] * self.spread[:, None]
        before = torch.cumsum(turns, dim=-1) - turns
        cos, sin = torch.cos(before), torch.sin(before)
        added = [
            cos * lacks[..., 0] + sin * lacks[..., 1],
            cos * lacks[..., 1] - sin * lacks[..., 0],
            torch.zeros_like(before),
        ]
        return way + torch.stack(added, dim=-1)

    def signals(self, poses: Tensor, steps: Tensor, contacts: Tensor) -> Tensor:
        """Return poses `(..., WIDTH)`, steps `(..., 3)` and contacts `(..., 4)` as signals `(...,
        SIGNALS)`."""
        held = self.components
        return torch.cat([(poses - held.mean) @ held.basis.T, steps, contacts], dim=-1) / held.scale

    def rows(self, signals: Tensor, last_two: Tensor) -> tuple[Tensor, Tensor]:
        """Return poses `(n, AHEAD, WIDTH)` and steps `(n, AHEAD, 3)` for signals after the poses `(n, 2,
        WIDTH)`."""
        held = self.components
        sized = signals * held.scale
        away = last_two - held.mean
        left_out = away - away @ held.basis.T @ held.basis
        beyond = left_out[:, 1:] + core.BEYOND * self.fading[None, :, None] * (
            left_out[:, 1:] - left_out[:, :1]
        )
        return held.mean + sized[..., :COMPONENTS] @ held.basis + beyond, sized[..., core.WAY]

    def exported(self) -> SequenceWeights:
        """Return the weights as numpy runs them."""
        held = self.components
        layers = tuple((coarse(layer.weight, _DIGITS), coarse(layer.bias, _DIGITS)) for layer in self.layers)
        return SequenceWeights(held.mean.numpy(), held.basis.numpy(), held.scale.numpy(), layers)


def coarse(values: Tensor, digits: int) -> np.ndarray:
    """Return values of a few binary digits, of which a zip file packs the rest away."""
    share, power = torch.frexp(values.detach())
    return torch.ldexp((share * 2**digits).round() / 2**digits, power).numpy()


def placed(steps: Tensor) -> Tensor:
    """Return where steps `(..., f, 3)` lead; see `core.sequence.rows.placed`."""
    turned = torch.cumsum(steps[..., 2], dim=-1)
    before = turned - steps[..., 2]
    cos, sin = torch.cos(before), torch.sin(before)
    way = [cos * steps[..., 0] - sin * steps[..., 1], sin * steps[..., 0] + cos * steps[..., 1]]
    return torch.stack([*(torch.cumsum(one, dim=-1) for one in way), turned], dim=-1)


def joints(poses: Tensor, places: Tensor) -> Tensor:
    """Return the figure's joints `(..., 18, 3)` in metres for poses `(..., WIDTH)` at places `(..., 3)`."""
    body = figure()
    hips = torch.cat([torch.zeros_like(poses[..., :2]), poses[..., COLUMNS["spine", "root"]]], dim=-1)
    chest = hips + poses[..., COLUMNS["spine", "effector"]]
    neck = chest + poses[..., COLUMNS["neck", "root"]]
    found = [hips, chest, neck, neck + poses[..., COLUMNS["neck", "effector"]]]
    chains = Anatomy.of(body.character).chains
    for name in LIMBS:
        root = (hips if name.startswith("leg") else chest) + poses[..., COLUMNS[name, "root"]]
        upper, lower = chains[name].bone_lengths
        found += [
            root,
            *_limb(
                root, poses[..., COLUMNS[name, "effector"]], poses[..., COLUMNS[name, "up"]], upper, lower
            ),
        ]
        if name.startswith("leg"):
            found.append(found[-1] + _toe(poses[..., COLUMNS[name, "orientation"]], body.toe))
    points = torch.stack(found, dim=-2)
    cos, sin = torch.cos(places[..., None, 2]), torch.sin(places[..., None, 2])
    forward = cos * points[..., 0] - sin * points[..., 1] + places[..., None, 0]
    left = sin * points[..., 0] + cos * points[..., 1] + places[..., None, 1]
    return torch.stack([forward, left, points[..., 2]], dim=-1)


def _limb(root: Tensor, effector: Tensor, up: Tensor, upper: float, lower: float) -> tuple[Tensor, Tensor]:
    """Return the middle joint and the end of a limb."""
    far = torch.linalg.norm(effector, dim=-1, keepdim=True).clamp(min=1e-4)
    along = effector / far
    reach = far.clamp(max=_STRAIGHT * (upper + lower))
    share = (upper**2 - lower**2 + reach**2) / (2.0 * reach)
    aside = (upper**2 - share**2).clamp(min=1e-8).sqrt()
    off = up - torch.sum(up * along, dim=-1, keepdim=True) * along
    off = off / torch.linalg.norm(off, dim=-1, keepdim=True).clamp(min=1e-4)
    return root + share * along + aside * off, root + effector


def _toe(axes: Tensor, toe: np.ndarray) -> Tensor:
    """Return the way from ankle to toe joint of feet with axes `(..., 6)`."""
    x = nn.functional.normalize(axes[..., :3], dim=-1)
    y = nn.functional.normalize(
        axes[..., 3:] - torch.sum(axes[..., 3:] * x, dim=-1, keepdim=True) * x, dim=-1
    )
    return float(toe[0]) * x + float(toe[2]) * torch.linalg.cross(x, y)
