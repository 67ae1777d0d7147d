"""Units written as a block: the miniatures they stand for."""

import math
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from models.base import RoundBase
from models.unit import Block
from models.units import radians

_MOST = 2_000  # of all blocks together


def spelled_out(raw: dict[str, Any]) -> dict[str, Any]:
    """The same state with every block in its units turned into miniatures `unit/rank-file`.

    A block that is not valid stays, so that the reader names what is wrong with it.

    Raises: ValueError when the blocks stand for more miniatures than any table holds.
    """
    units: list[Any] = []
    blocks = [_block_of(unit) for unit in raw.get("units") or ()]
    count = sum(block.count for block in blocks if block is not None)
    if count > _MOST:
        raise ValueError(f"units: the blocks stand for {count} miniatures, more than {_MOST}")
    told_ones = list(raw.get("miniatures") or ())
    miniatures = list(told_ones)
    for unit, block in zip(raw.get("units") or (), blocks, strict=True):
        if block is None:
            units.append(unit)
            continue
        told = unit if isinstance(unit, dict) else unit.model_dump()
        units.append({key: value for key, value in told.items() if key != "block"})
        miniatures += _members(block, told)
    return {**raw, "units": units, "miniatures": miniatures} if len(miniatures) > len(told_ones) else raw


def _block_of(unit: Any) -> Block | None:
    told = unit.get("block") if isinstance(unit, dict) else getattr(unit, "block", None)
    try:
        return None if told is None else Block.model_validate(told)
    except ValidationError:
        return None


def _members(block: Block, unit: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Front rank first, each from its own left; the short last rank in the middle."""
    base = block.base
    wide, deep = (base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (base.width_mm, base.depth_mm)
    facing = radians(block.facing_deg)
    ahead, left = (math.cos(facing), math.sin(facing)), (-math.sin(facing), math.cos(facing))
    for k in range(block.count):
        rank, file = divmod(k, block.files)
        beside = min(block.files, block.count - rank * block.files)
        back = deep / 2 + rank * (deep + block.gap_mm)
        aside = ((beside - 1) / 2 - file) * (wide + block.gap_mm)
        at = tuple(o - back * u + aside * v for o, u, v in zip(block.front_mm, ahead, left, strict=True))
        yield {
            "id": f"{unit.get('id')}/{rank}-{file}", "side": unit.get("side"), "type": block.type, "base": base,
            "at_mm": at, "facing_deg": block.facing_deg, "sigma": block.sigma, "unit": unit.get("id"), "rank": rank,
            "file": file, "profile": block.profile,
        }  # fmt: skip
