"""Old World Builder list: an army by kinds of units, each with its strength and the options that were chosen."""

from collections.abc import Iterator

from api.rosters.base_sizes import edition_of, read_base_size
from api.rosters.file_opening import Node, children, limit_units, number_of, text_of
from models.roster import Remark, RosterCounts, RosterList, RosterModel, RosterUnit
from models.vocabulary import EditionId, Role

KINDS = ("characters", "lords", "heroes", "core", "special", "rare", "mercenaries", "allies")
_GAMES = {
    "the-old-world": "Warhammer: The Old World",
    "warhammer-fantasy": "Warhammer Fantasy",
    "warhammer-9": "Warhammer 9th edition",
}
_ROLES: tuple[tuple[str, Role], ...] = (
    ("battle standard", "battle-standard"), ("standard", "standard"), ("musician", "musician"),
    ("champion", "champion"), ("general", "general"),
)  # fmt: skip


def is_old_world_builder(content: object) -> bool:
    """Whether this JSON is such a list."""
    return (
        isinstance(content, dict)
        and any(isinstance(content.get(kind), list) for kind in KINDS)
        and "forces" not in content
    )


def read_old_world_builder(army: Node) -> RosterList:
    game = _GAMES.get(text_of(army, "game"), text_of(army, "game") or None)
    edition = edition_of(game)
    remarks = [] if edition else [
        Remark(where="list", text=game or "no game named", why="no rulebook of ours: names, counts and base sizes only")
    ]  # fmt: skip
    units = limit_units(
        unit for kind in KINDS for node in children(army, kind) for unit in _units_of(node, kind, edition, remarks)
    )
    return RosterList(
        format="old-world-builder",
        name=text_of(army, "name") or None,
        game=game,
        edition=edition,
        units=tuple(units),
        counts=RosterCounts(unit_selections=sum(len(children(army, kind)) for kind in KINDS)),
        remarks=tuple(remarks),
    )


def name_of(node: Node) -> str:
    """The English name, else the first in any language, else the id."""
    names = [text_of(node, "name_en"), *(text_of(node, key) for key in node if key.startswith("name_"))]
    plain = next((name for name in names if name), "") or text_of(node, "id") or "unnamed"
    return plain.split("{", maxsplit=1)[0].strip()


def _units_of(unit: Node, kind: str, edition: EditionId | None, remarks: list[Remark]) -> Iterator[RosterUnit]:
    """The unit, and each of its detachments as a unit of its own."""
    yield _read_unit(unit, kind, edition, remarks)
    for detachment in children(unit, "detachments"):
        if detachment.get("strength"):
            yield _read_unit(detachment, kind, edition, remarks)


def _read_unit(unit: Node, kind: str, edition: EditionId | None, remarks: list[Remark]) -> RosterUnit:
    name = name_of(unit)
    strength = number_of(unit, "strength") if unit.get("strength") else number_of(unit, "minimum")
    texts = [text_of(unit, key) for key in ("baseSize", "base_size", "base") if unit.get(key)]
    read = read_base_size(texts[0], edition) if texts else None
    if read is not None and read.why is not None:
        remarks.append(Remark(where=name, text=f"base {texts[0]}", why=read.why))
    roles = [role for option in children(unit, "command") if _is_chosen(option) for role in _roles_of(option)]
    base = None if read is None else read.base
    plain = {"name": name, "entry_id": text_of(unit, "id") or None, "base": base}
    if strength > 1 and len(roles) < strength:
        commanders = [RosterModel(**{**plain, "name": f"{name}, {role}"}, role=(role,)) for role in roles]
        models = [*commanders, RosterModel(**plain, count=strength - len(commanders))]
    else:
        models = [RosterModel(**plain, count=strength, role=tuple(roles))]
    own = text_of(unit, "name") or text_of(unit, "customName")
    return RosterUnit(
        name=name,
        custom_name=own if own and own != name else None,
        entry_id=text_of(unit, "id") or None,
        force=kind,
        models=tuple(models),
    )


def _roles_of(option: Node) -> tuple[Role, ...]:
    title = text_of(option, "name_en").lower()
    role = next((role for word, role in _ROLES if word in title), None)
    return ("champion",) if role is None and title else () if role is None else (role,)


def _is_chosen(option: Node) -> bool:
    return option.get("active") is True
