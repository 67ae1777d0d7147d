"""Profile reading: the characteristics of a list -> the numbers of a card, and what of them was not understood."""

from collections.abc import Iterable
from typing import Any

from api.rosters.card_numbers import CardLength, read_length, read_stat
from models.profile import MeleeWeapon, Profile, RangedWeapon
from models.roster import Characteristic, Remark

_MOVE = frozenset({"m", "mv", "move", "movement", "spd", "speed"})
_BODY = frozenset({"w", "wounds", "health", "t", "toughness", "sv", "save", "def", "defense", "defence", "arm", "df"})
_RANGE = frozenset({"range", "rng", "r"})
_REACH = frozenset({"reach"})
_STATS = {
    "strength": ("str", "strength"), "defence": ("def", "defence", "defense"), "bs": ("bs",),
    "ld": ("ld", "leadership"), "wounds": ("w", "wounds", "health"),
}  # fmt: skip
_LENGTHS = {"cmd_in": ("cmd", "command"), "control_stat": ("ctrl", "control range")}

Cells = dict[str, str]
"""The characteristics of one profile, by their names in small letters."""


def is_body(cells: Cells) -> bool:
    """Whether these are the numbers of a miniature: it moves, and can be hurt."""
    return not _MOVE.isdisjoint(cells) and not _BODY.isdisjoint(cells)


def is_weapon(cells: Cells) -> bool:
    """Whether these are the numbers of a weapon."""
    return not is_body(cells) and not (_RANGE | _REACH).isdisjoint(cells)


def read_profile(
    body: Cells | None, weapons: Iterable[tuple[str, Cells]], *, where: str
) -> tuple[Profile, list[Remark]]:
    """The card of a miniature, and what of it was kept and not read."""
    remarks: list[Remark] = []
    numbers: dict[str, Any] = {}
    if body is not None:
        numbers, remarks = _read_body(body, where)
    melee: dict[str, MeleeWeapon] = {}
    ranged: dict[str, RangedWeapon] = {}
    for name, cells in weapons:
        for weapon in _read_weapon(name, cells, where, remarks):
            if isinstance(weapon, MeleeWeapon):
                melee.setdefault(name, weapon)
            else:
                ranged.setdefault(name, weapon)
    return Profile(**numbers, melee=tuple(melee.values()), ranged=tuple(ranged.values())), remarks


def _read_body(body: Cells, where: str) -> tuple[dict[str, Any], list[Remark]]:
    numbers: dict[str, Any] = {}
    remarks = []
    move = next((body[name] for name in body if name in _MOVE), "")
    read = read_length(move)
    if read.kind == "length":
        numbers["spd_in"] = read.inches
    elif read.kind != "none":
        remarks.append(Remark(where=where, text=f"move {move}", why="no single number of inches"))
    for field, names in _STATS.items():
        value = next((read_stat(body[name]) for name in names if name in body), None)
        if value is not None:
            numbers[field] = value
    for field, names in _LENGTHS.items():
        length = next((read_length(body[name]) for name in names if name in body), None)
        if length is not None and length.kind == "length":
            numbers[field] = length.inches
    return numbers, remarks


def _read_weapon(name: str, cells: Cells, where: str, remarks: list[Remark]) -> list[MeleeWeapon | RangedWeapon]:
    reach = next((read_length(cells[key]) for key in cells if key in _REACH), None)
    if reach is not None and reach.kind == "length":
        return [MeleeWeapon(name=name, reach_in=reach.inches)]
    text = next((cells[key] for key in cells if key in _RANGE), "")
    return [made] if (made := _make_ranged(name, read_length(text), text, where, remarks)) is not None else []


def _make_ranged(name: str, length: CardLength, text: str, where: str, remarks: list[Remark]) -> RangedWeapon | None:
    if length.kind == "length" and length.inches > 0:
        return RangedWeapon(name=name, rng_in=length.inches)
    if length.kind == "span":
        return RangedWeapon(name=name, rng_in=(length.least_in, length.inches))
    if length.kind == "spray" and length.inches > 0:
        return RangedWeapon(name=name, rng_in=length.inches, spray_in=length.inches)
    if length.kind == "unread":
        remarks.append(Remark(where=f"{where}, {name}", text=f"range {text}", why="no range in inches"))
    return None


def cells_of(characteristics: Iterable[Characteristic]) -> Cells:
    """By name in small letters; of two of one name the first."""
    cells: Cells = {}
    for cell in characteristics:
        cells.setdefault(" ".join(cell.name.lower().split()), cell.text)
    return cells
