"""Losses: penalty-reduced focal loss for centres, Laplace likelihood for lengths, cross entropy for sizes and maps."""

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.detection.network.channels import SLICES
from vision.training.dense.targets import NUMBERS, Target

GAINS = {
    "heat": 1.0, "offset": 0.5, "sides": 1.0, "size": 0.4, "axis": 0.5, "square": 0.3, "facing": 0.5, "marking": 0.2,
    "marked": 0.2, "mark": 0.2, "ranked": 0.15, "seen": 0.2, "rim": 1.5, "masks": 0.5,
}  # fmt: skip
_PLACE = {name: number for number, name in enumerate(NUMBERS)}
_RIM_WEIGHT = 3.0  # rims are thin: a cell of one counts so much more


def loss_terms(instances: Tensor, maps: Tensor | None, targets: list[Target], map_targets: Tensor) -> dict[str, Tensor]:
    """Every term before its gain; none of the maps where there are none. `map_targets` (N, 4, H, W) 0 to 1."""
    device = instances.device
    heat = torch.from_numpy(np.stack([target.heat for target in targets])).to(device)
    loud = torch.from_numpy(np.stack([target.loud for target in targets])).to(device)[:, None]
    terms = {"heat": _focal(instances[:, SLICES["heat"]].float(), heat, loud)}
    terms |= _instance_terms(instances.float(), targets)
    return terms if maps is None else terms | _map_terms(maps.float(), map_targets)


def total(terms: dict[str, Tensor]) -> Tensor:
    return torch.stack([GAINS[name] * value for name, value in terms.items()]).sum()


def _focal(logits: Tensor, heat: Tensor, loud: Tensor) -> Tensor:
    chance = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    is_peak = heat.ge(0.9999).float()
    near = is_peak * (1 - chance) ** 2 * torch.log(chance)
    far = (1 - is_peak) * loud * (1 - heat) ** 4 * chance**2 * torch.log(1 - chance)
    return -(near.sum() + far.sum()) / is_peak.sum().clamp(min=1.0)


def _instance_terms(raw: Tensor, targets: list[Target]) -> dict[str, Tensor]:
    """What the cells near centres say of their bases."""
    where, weights, rows = [], [], []
    for number, target in enumerate(targets):
        y, x = np.nonzero(target.owner >= 0)
        where.append(np.column_stack([np.full(len(y), number), y, x]))
        weights.append(target.weight[y, x])
        rows.append(target.numbers[target.owner[y, x]])
    place = torch.from_numpy(np.concatenate(where)).to(raw.device)
    said = raw[place[:, 0], :, place[:, 1], place[:, 2]]
    weight = torch.from_numpy(np.concatenate(weights)).to(raw.device)
    wanted = torch.from_numpy(np.concatenate(rows)).to(raw.device)

    def of(*names: str) -> Tensor:
        return wanted[:, [_PLACE[name] for name in names]]

    def mean(value: Tensor, *masks: str) -> Tensor:
        share = weight
        for mask in masks:
            share = share * wanted[:, _PLACE[mask]]
        return (value * share).sum() / share.sum().clamp(min=1.0)

    cell = place[:, [2, 1]].float()
    part = {name: said[:, channels] for name, channels in SLICES.items()}
    terms: dict[str, Tensor] = {}
    spread = part["spread"].clamp(-5.0, 2.0)
    off = (part["offset"] + cell - of("x", "y")).abs().sum(1)
    terms["offset"] = mean(off * torch.exp(-spread[:, 0]) + 2 * spread[:, 0] + off)
    sides = (part["sides"] - of("log_long", "log_short")).abs().sum(1)
    terms["sides"] = mean(sides * torch.exp(-spread[:, 1]) + 2 * spread[:, 1] + 4 * sides)
    sizes = of("size_class")[:, 0].long()
    terms["size"] = mean(functional.cross_entropy(part["size"], sizes.clamp(min=0), reduction="none") * (sizes >= 0))
    terms["axis"] = mean(_apart(part["axis"], of("axis_cos", "axis_sin")), "has_axis")
    terms["square"] = mean(_apart(part["square"], of("square_cos", "square_sin")), "is_square")
    terms["facing"] = mean(_apart(part["facing"], of("facing_cos", "facing_sin")), "has_facing")
    terms["mark"] = mean(_apart(part["mark"], of("mark_x", "mark_y")), "has_facing")
    marking = of("marking")[:, 0].long()
    terms["marking"] = mean(functional.cross_entropy(part["marking"], marking, reduction="none"))
    for name in ("marked", "ranked", "seen"):
        terms[name] = mean(_binary(part[name][:, 0], of(name)[:, 0]))
    return terms


def _apart(said: Tensor, wanted: Tensor) -> Tensor:
    return functional.smooth_l1_loss(said, wanted, reduction="none", beta=0.2).sum(1)


def _binary(logits: Tensor, wanted: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits, wanted, reduction="none")


def _map_terms(maps: Tensor, wanted: Tensor) -> dict[str, Tensor]:
    rim, masks = slice(0, 2), slice(2, 4)
    heavy: Any = 1 + (_RIM_WEIGHT - 1) * wanted[:, rim]
    rims = (_binary(maps[:, rim], wanted[:, rim]) * heavy).mean() * 10
    chance = torch.sigmoid(maps[:, rim])
    common = (chance * wanted[:, rim]).sum((0, 2, 3)) + 1
    dice = 1 - (2 * common / ((chance**2).sum((0, 2, 3)) + (wanted[:, rim] ** 2).sum((0, 2, 3)) + 2)).mean()
    return {"rim": rims + dice, "masks": _binary(maps[:, masks], wanted[:, masks]).mean() * 4}
