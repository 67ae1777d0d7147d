"""WARMACHINE JSON: models with base size and statistics as TTGA's and kirkbushell's tools keep them."""

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from api.rosters.base_sizes import read_base_size, read_length
from api.rosters.file_opening import Node, children, limit_units, number_of, text_of
from models.base import Base
from models.profile import MeleeWeapon, Profile, RangedWeapon
from models.roster import Remark, RosterCounts, RosterList, RosterModel, RosterUnit
from models.vocabulary import Ability, MiniatureType

_GAME = "WARMACHINE MKIV"
_ABILITIES: dict[str, Any] = {word.replace("-", ""): word for word in get_args(Ability)}
_TYPES: dict[str, MiniatureType] = {
    "warcaster": "warcaster", "warlock": "warlock", "warjack": "warjack", "warbeast": "warbeast", "solo": "solo",
    "unit": "trooper", "trooper": "trooper", "attachment": "trooper", "battleengine": "battle-engine",
}  # fmt: skip


def is_ttga(content: object) -> bool:
    """Whether this JSON holds models as TTGA writes them."""
    return isinstance(content, dict) and any(
        "model_statistics" in model or "troopers" in model for model in children(content, "models")
    )


def is_warmachine_data(content: object) -> bool:
    """Whether this JSON holds entries by id, with base size and statistics, as kirkbushell writes them."""
    entries = [entry for entry in content.values() if isinstance(entry, dict)] if isinstance(content, dict) else []
    return bool(entries) and any("baseSize" in entry and "statistics" in entry for entry in entries)


def read_ttga(content: Node) -> RosterList:
    """Single models as units of one, and units with their troopers."""
    entries = limit_units(children(content, "models"))
    remarks = [_other_game()]
    singles = {
        text_of(entry, "name"): _read_ttga_model(entry, remarks) for entry in entries if "model_statistics" in entry
    }
    units = []
    in_units = set()
    for entry in entries:
        if "troopers" not in entry:
            continue
        models = []
        for trooper in limit_units(children(entry, "troopers")):
            name = text_of(trooper, "model_name")
            in_units.add(name)
            plain = singles.get(name) or RosterModel(name=name or "unnamed")
            models.append(RosterModel(**{**dict(plain), "count": number_of(trooper, "quantity")}))
        if models:
            units.append(RosterUnit(name=text_of(entry, "name") or "unnamed", models=tuple(models)))
    units += [RosterUnit(name=name, models=(model,)) for name, model in singles.items() if name not in in_units]
    return RosterList(
        format="ttga",
        game=_GAME,
        units=tuple(units),
        counts=RosterCounts(selections=len(entries)),
        remarks=tuple(remarks),
    )


def read_warmachine_data(content: Node) -> RosterList:
    """Each entry a unit with as many as it has grunts."""
    remarks = [_other_game()]
    units = []
    entries = limit_units(
        (key, entry) for key, entry in content.items() if isinstance(entry, dict) and "baseSize" in entry
    )
    for key, entry in entries:
        name = text_of(entry, "name") or key
        weapons = (
            [w for w in entry["weapons"].values() if isinstance(w, dict)]
            if isinstance(entry.get("weapons"), dict)
            else []
        )
        numbers = entry["statistics"] if isinstance(entry.get("statistics"), dict) else {}
        model = RosterModel(
            name=name,
            entry_id=key,
            count=number_of(entry, "grunts"),
            base=_base_of(name, text_of(entry, "baseSize"), remarks),
            type=_TYPES.get(text_of(entry, "type").lower()),
            profile=Profile(
                **_numbers(numbers, spd_in="speed", control_stat="controlRange", defence="defense", wounds="health"),
                **_weapons(name, ((text_of(w, "type"), _weapon_cells(w)) for w in weapons), remarks),
                abilities=_abilities(entry.get("advantages"), name, remarks),
            ),
        )
        units.append(RosterUnit(name=name, entry_id=key, models=(model,)))
    return RosterList(
        format="warmachine-data",
        game=_GAME,
        units=tuple(units),
        counts=RosterCounts(selections=len(entries)),
        remarks=tuple(remarks),
    )


def _read_ttga_model(entry: Node, remarks: list[Remark]) -> RosterModel:
    name = text_of(entry, "name") or "unnamed"
    numbers = entry["model_statistics"] if isinstance(entry["model_statistics"], dict) else {}
    weapons = [("melee", w) for w in children(entry, "melee_weapons")] + [
        ("ranged", w) for w in children(entry, "range_weapons")
    ]
    return RosterModel(
        name=name,
        base=_base_of(name, text_of(entry, "base_size"), remarks),
        type=_TYPES.get(text_of(entry, "basic_type").lower()),
        profile=Profile(
            **_numbers(numbers, spd_in="spd", control_stat="ctrl", defence="def"),
            **_weapons(name, weapons, remarks),
            abilities=_abilities(entry.get("advantages"), name, remarks),
        ),
    )


def _weapon_cells(weapon: Node) -> Node:
    numbers = weapon.get("statistics")
    return {"name": text_of(weapon, "name"), **(numbers if isinstance(numbers, dict) else {})}


def _numbers(cells: Node, **fields: str) -> dict[str, float]:
    """Those that are told; -1 is how the tools write none."""
    values = {field: cells.get(key) for field, key in fields.items()}
    return {f: float(v) for f, v in values.items() if isinstance(v, int | float) and not isinstance(v, bool) and v >= 0}


def _weapons(name: str, weapons: Iterable[tuple[str, Node]], remarks: list[Remark]) -> dict[str, Any]:
    melee, ranged = [], []
    for kind, cells in weapons:
        called, text = text_of(cells, "name") or "weapon", text_of(cells, "range")
        length = read_length(text)
        if length.kind in ("unread", "none", "melee") or length.inches <= 0:
            remarks.append(Remark(where=f"{name}, {called}", text=f"range {text}", why="no range in inches"))
        elif kind == "melee":
            melee.append(MeleeWeapon(name=called, reach_in=length.inches))
        else:
            spray = {"spray_in": length.inches} if length.kind == "spray" else {}
            aoe = next((cells[key] for key in ("area_of_effect", "areaOfEffect") if isinstance(cells.get(key), int)), 0)
            blast = {"aoe_in": float(aoe)} if aoe > 0 else {}
            ranged.append(RangedWeapon(name=called, rng_in=length.inches, **spray, **blast))
    return {"melee": tuple(melee), "ranged": tuple(ranged)}


def _abilities(written: object, name: str, remarks: list[Remark]) -> tuple[Ability, ...]:
    """Those that the rules read; the others are kept as remarks."""
    known = []
    for word in _parts_of(written):
        ability = _ABILITIES.get("".join(ch for ch in word.lower() if ch.isalnum()))
        if ability is None:
            remarks.append(Remark(where=name, text=word, why="no rule here reads this ability"))
        elif ability not in known:
            known.append(ability)
    return tuple(known)


def _parts_of(written: object) -> Iterator[str]:
    if isinstance(written, str):
        yield written
    elif isinstance(written, list):
        for part in written:
            yield from _parts_of(part)


def _base_of(name: str, text: str, remarks: list[Remark]) -> Base | None:
    read = read_base_size(text)
    if read.why is not None:
        remarks.append(Remark(where=name, text=f"base {text}", why=read.why))
    return read.base


def _other_game() -> Remark:
    return Remark(where="list", text=_GAME, why="no rulebook of ours: its numbers are taken as they stand on the card")
