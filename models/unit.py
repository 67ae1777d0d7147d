"""Units: which miniatures stand together, how they are ordered to stand, and whom a block of ranks stands for."""

import math
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field, ValidationError

from models.base import Base, RoundBase
from models.frozen import Frozen
from models.pose import Sigma
from models.profile import Profile
from models.turn import ThisTurn
from models.unit_conversion import radians
from models.vocabulary import Id, MiniatureType, NotNegative, Point, Positive

_MOST_IN_BLOCK = 500  # more than any rulebook fields: a slip of the finger, and each would be a miniature to be kept
_MOST = 2_000  # of all blocks together


class Block(Frozen):
    """A ranked unit written as a block instead of one by one."""

    front_mm: Point
    facing_deg: float
    files: int = Field(ge=1)
    count: int = Field(ge=1, le=_MOST_IN_BLOCK)
    base: Base
    type: MiniatureType | None = None
    profile: Profile = Profile()
    gap_mm: NotNegative = 0.0
    body_mm: NotNegative | None = Field(None, description="height of the body of each, where it is told")
    sigma: Sigma = Sigma()


class Tray(Frozen):
    """A movement tray seen: it groups, and is never measured."""

    at_mm: Point
    width_mm: Positive
    depth_mm: Positive
    facing_deg: float


class StartingStrength(Frozen):
    """How strong the unit was when something began."""

    models: int | None = None
    strength: float | None = None


class StartingStrengths(Frozen):
    battle: StartingStrength | None = None
    turn: StartingStrength | None = None
    phase: StartingStrength | None = None


class Unit(Frozen):
    id: Id
    name: str | None = None
    side: str | None = None
    formation: Literal["command", "skirmish", "open", "tight", "ranked", "squeezing", "garrison"] | None = None
    commander: Id | None = None
    command_in: NotNegative | None = None
    standard: Id | bool | None = None
    musician: Id | bool | None = None
    champion: Id | bool | None = None
    spacing_in: NotNegative | None = None
    orders: tuple[Literal["charge", "run", "shield-wall", "ride-by"], ...] = ()
    started: StartingStrengths | None = None
    worth: NotNegative = 0.0
    block: Block | None = None
    tray: Tray | None = None
    this_turn: ThisTurn = ThisTurn()


def expand_blocks(raw: dict[str, Any]) -> dict[str, Any]:
    """The same state with every block in its units turned into miniatures `unit/rank-file`.

    A block that is not valid stays, so that the reader names what is wrong with it.

    Raises: ValueError when the blocks stand for more miniatures than any table holds.
    """
    units: list[Any] = []
    blocks = [_parse_block(unit) for unit in raw.get("units") or ()]
    count = sum(block.count for block in blocks if block is not None)
    if count > _MOST:
        raise ValueError(f"units: the blocks stand for {count} miniatures, more than {_MOST}")
    told_ones = list(raw.get("miniatures") or ())
    miniatures = list(told_ones)
    for unit, block in zip(raw.get("units") or (), blocks, strict=True):
        if block is None:
            units.append(unit)
            continue
        fields = unit if isinstance(unit, dict) else unit.model_dump()
        units.append({key: value for key, value in fields.items() if key != "block"})
        miniatures += _members(block, fields)
    if len(miniatures) == len(told_ones):
        return raw
    shared = [mode for block, unit in _told_blocks(raw, blocks) for mode in _common_modes(block, unit)]
    common = [*(raw.get("common_mm") or ()), *shared]
    return {**raw, "units": units, "miniatures": miniatures, "common_mm": common}


def _parse_block(unit: Any) -> Block | None:
    raw_block = unit.get("block") if isinstance(unit, dict) else getattr(unit, "block", None)
    try:
        return None if raw_block is None else Block.model_validate(raw_block)
    except ValidationError:
        return None


def _told_blocks(raw: dict[str, Any], blocks: list[Block | None]) -> Iterator[tuple[Block, dict[str, Any]]]:
    for unit, block in zip(raw.get("units") or (), blocks, strict=True):
        if block is not None:
            yield block, unit if isinstance(unit, dict) else unit.model_dump()


def _common_modes(block: Block, unit: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The errors of a block, which is one piece: shifted both ways and turned about its front, all of it at once."""
    sigma, turn = block.sigma.at_mm, block.sigma.facing_deg
    places = {member["id"]: member["at_mm"] for member in _members(block, unit)}
    if sigma > 0:
        yield {"name": f"{unit.get('id')} x", "shift_mm": dict.fromkeys(places, (sigma, 0.0))}
        yield {"name": f"{unit.get('id')} y", "shift_mm": dict.fromkeys(places, (0.0, sigma))}
    if turn > 0:
        swings = {id_: _swing(at, block.front_mm, radians(turn)) for id_, at in places.items()}
        turns = dict.fromkeys(places, turn)
        yield {"name": f"{unit.get('id')} turn", "shift_mm": swings, "turn_deg": turns}


def _swing(at_mm: tuple[float, float], about_mm: tuple[float, float], turn_rad: float) -> tuple[float, float]:
    """By how much a place moves as the block turns by a small angle about its front."""
    return -turn_rad * (at_mm[1] - about_mm[1]), turn_rad * (at_mm[0] - about_mm[0])


def _covariance(block: Block, at_mm: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
    """A member's whole covariance: the block's shift, and its swing."""
    variance = block.sigma.at_mm**2
    u, v = _swing(at_mm, block.front_mm, radians(block.sigma.facing_deg))
    return (variance + u * u, u * v), (u * v, variance + v * v)


def _members(block: Block, unit: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Front rank first, each from its own left; the short last rank in the middle."""
    base = block.base
    wide, deep = (base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (base.width_mm, base.depth_mm)
    facing = radians(block.facing_deg)
    ahead, left = (math.cos(facing), math.sin(facing)), (-math.sin(facing), math.cos(facing))
    for k in range(block.count):
        rank, file = divmod(k, block.files)
        rank_size = min(block.files, block.count - rank * block.files)
        back = deep / 2 + rank * (deep + block.gap_mm)
        aside = ((rank_size - 1) / 2 - file) * (wide + block.gap_mm)
        x, y = (o - back * u + aside * v for o, u, v in zip(block.front_mm, ahead, left, strict=True))
        at = (x, y)
        covariance = {"covariance_mm2": _covariance(block, at)} if block.sigma.facing_deg > 0 else {}
        yield {
            "id": f"{unit.get('id')}/{rank}-{file}", "side": unit.get("side"), "type": block.type, "base": base,
            "at_mm": at, "facing_deg": block.facing_deg, "sigma": block.sigma, "unit": unit.get("id"), "rank": rank,
            "file": file, "profile": block.profile, "body_mm": block.body_mm, **covariance,
        }  # fmt: skip
