"""Tables of Warhammer for scenarios: regiments on a table of 72 by 48 in, that is 1828.8 by 1219.2 mm.

Bases are 20 by 20 unless told, so that numbers are easily worked: ten in two ranks of five are 100 wide and 40 deep.
"""

from typing import Any

from models.state import TableState

BOW = {"name": "bow", "rng_in": 24}
CARD: dict[str, Any] = {"spd_in": 4, "bs": 4, "ld": 7, "ranged": [BOW]}
Base = tuple[float, float]


def unit(
    id_: str, front: tuple[float, float], facing: float, files: int, count: int, side: str = "red", *,
    base: Base = (20, 20), kind: str = "infantry", gap: float = 0.0, card: dict[str, Any] | None = None, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A regiment, written as a block by the middle of its front edge; `card` adds to the usual card."""
    shape = {"shape": "rect", "width_mm": base[0], "depth_mm": base[1]}
    block = {"front_mm": front, "facing_deg": facing, "files": files, "count": count, "base": shape, "type": kind}
    block |= {"gap_mm": gap, "profile": CARD | (card or {})}
    return {"id": id_, "side": side, "formation": "skirmish" if gap else "ranked", "block": block, **more}


def lone(
    id_: str, at: tuple[float, float], facing: float, side: str = "red", *,
    base: Base = (50, 50), kind: str = "monster", card: dict[str, Any] | None = None, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A miniature that is a unit of its own, by the middle of its base."""
    shape = {"shape": "rect", "width_mm": base[0], "depth_mm": base[1]}
    told = {"id": id_, "side": side, "base": shape, "at_mm": at, "facing_deg": facing, "type": kind}
    return {**told, "profile": CARD | {"wounds": 3} | (card or {}), **more}


def field(*things: dict[str, Any], **more: Any) -> TableState:
    """A table with these regiments and lone miniatures."""
    size = {"width_mm": 1828.8, "depth_mm": 1219.2}
    units = [one for one in things if "base" not in one]
    alone = [one for one in things if "base" in one]
    return TableState.model_validate(
        {"edition": "warhammer-9", "table": size, "units": units, "miniatures": alone, **more}
    )
