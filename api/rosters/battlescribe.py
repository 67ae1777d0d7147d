"""BattleScribe list: forces and selections of BattleScribe and New Recruit -> units, models and their cards.

Read by structure, never by names. A unit is a selection that is a unit or a model, one with the numbers of a
miniature on it, or one that holds several models, wherever it hangs. In a unit, each model selection and each option
that brings numbers of its own stands for as many miniatures as it says; what hangs below a model, as its mount or its
weapons, is no further miniature. Numbers that stand on the unit and are used by none of its models belong to one
miniature more: its leader, or the thing that is crewed.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from api.errors import BadRoster
from api.rosters.base_sizes import CardLength, edition_of, read_base_size, read_length, read_stat
from api.rosters.file_opening import Node, children, limit_units, number_of, text_of
from models.base import Base
from models.profile import MeleeWeapon, Profile, RangedWeapon
from models.roster import Characteristic, Remark, RosterCounts, RosterFormat, RosterList, RosterModel, RosterUnit
from models.vocabulary import EditionId

_MOVE = frozenset({"m", "mv", "move", "movement", "spd", "speed"})
_BODY = frozenset({"w", "wounds", "health", "t", "toughness", "sv", "save", "def", "defense", "defence", "arm", "df"})
_RANGE = frozenset({"range", "rng", "r"})
_REACH = frozenset({"reach"})
_STATS = {
    "strength": ("str", "strength"), "defence": ("def", "defence", "defense"), "bs": ("bs",),
    "ld": ("ld", "leadership"), "wounds": ("w", "wounds", "health"),
}  # fmt: skip
_POINT_NAMES = frozenset({"pts", "points", "pts.", "point cost", "punkte"})
_LENGTHS = {"cmd_in": ("cmd", "command"), "control_stat": ("ctrl", "control range")}

Cells = dict[str, str]
"""The characteristics of one profile, by their names in small letters."""


def is_body(cells: Cells) -> bool:
    """Whether these are the numbers of a miniature: it moves, and can be hurt."""
    return not _MOVE.isdisjoint(cells) and not _BODY.isdisjoint(cells)


def is_weapon(cells: Cells) -> bool:
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


_BASE_NAMES = frozenset({"base", "base size", "basesize", "size"})
_LEADING_NUMBER = re.compile(r"^(\d{1,3})\s*[x×]?\s+\D")


def read_battlescribe(roster: Node, *, name: str) -> RosterList:
    """The list in this tree. Raises: BadRoster when it holds no force."""
    forces = children(roster, "forces")
    if not forces:
        raise BadRoster("The list holds no force: there is nothing in it.", field="file", value=name)
    game = text_of(roster, "gameSystemName") or None
    edition = edition_of(game)
    remarks: list[Remark] = []
    if edition is None:
        why = "no rulebook of ours: names, counts and base sizes only"
        remarks.append(Remark(where="list", text=game or "no game named", why=why))
    units = limit_units((unit for force in forces for unit in _units_of_force(force, edition, remarks)), name)
    made_by: RosterFormat = "new-recruit" if "newrecruit" in text_of(roster, "generatedBy") else "battlescribe"
    return RosterList(
        format=made_by,
        name=text_of(roster, "name") or None,
        game=game,
        edition=edition,
        units=tuple(units),
        counts=count_tree(forces),
        remarks=tuple(remarks),
    )


def count_tree(forces: list[Node], *, is_nested: bool = False) -> RosterCounts:
    """What the file holds, counted plainly, without asking what it means."""
    total = RosterCounts()
    for force in forces:
        inside = children(force, "forces")
        of_force = RosterCounts(forces=0 if is_nested else 1, nested_forces=1 if is_nested else 0)
        parts = [of_force, _count_profiles(force), *map(_count_selection, children(force, "selections"))]
        for part in (*parts, count_tree(inside, is_nested=True)):
            total = _add(total, part)
    return total


def _count_selection(selection: Node) -> RosterCounts:
    kind = text_of(selection, "type")
    own = RosterCounts(
        selections=1,
        unit_selections=int(kind == "unit"),
        model_count=number_of(selection) if kind == "model" else 0,
    )
    total = _add(own, _count_profiles(selection))
    for child in children(selection, "selections"):
        total = _add(total, _count_selection(child))
    return total


def _count_profiles(node: Node) -> RosterCounts:
    profiles = children(node, "profiles")
    cells = sum(len(children(profile, "characteristics")) for profile in profiles)
    return RosterCounts(profiles=len(profiles), characteristics=cells)


def _add(a: RosterCounts, b: RosterCounts) -> RosterCounts:
    return RosterCounts(**{field: getattr(a, field) + getattr(b, field) for field in RosterCounts.model_fields})


def _units_of_force(force: Node, edition: EditionId | None, remarks: list[Remark]) -> Iterator[RosterUnit]:
    for selection in children(force, "selections"):
        for unit in _units_below(selection):
            yield _read_unit(unit, text_of(force, "name") or None, edition, remarks)
    for inside in children(force, "forces"):
        yield from _units_of_force(inside, edition, remarks)


def _units_below(selection: Node) -> Iterator[Node]:
    """The selection if it is a unit, else the units that hang on it; a unit within a unit stands for itself."""
    if text_of(selection, "type") in ("unit", "model") or _bodies(selection) or _holds_models(selection):
        yield selection
        yield from (child_unit for child_unit in _descendants(selection) if text_of(child_unit, "type") == "unit")
        return
    for child in children(selection, "selections"):
        yield from _units_below(child)


def _holds_models(selection: Node) -> bool:
    """Whether several groups of models stand right in it: a unit that its catalogue calls an option."""
    return sum(text_of(child, "type") == "model" for child in children(selection, "selections")) > 1


def _descendants(selection: Node) -> Iterator[Node]:
    for child in children(selection, "selections"):
        yield child
        yield from _descendants(child)


def _read_unit(unit: Node, force: str | None, edition: EditionId | None, remarks: list[Remark]) -> RosterUnit:
    own = _bodies(unit)
    shared = next(iter(own), None)
    groups = [] if text_of(unit, "type") == "model" else limit_units(_model_groups(unit))
    has_bare = any(not _bodies_near(group) for group in groups)
    if not groups:
        models = [_read_model(unit, shared, unit, edition, remarks)]
    else:
        models = [_read_model(group, shared, unit, edition, remarks) for group in groups]
        if shared is not None and not has_bare and not any(_same_body(shared, group) for group in groups):
            models.insert(0, _read_model(unit, shared, unit, edition, remarks, count=1, is_alone=True))
    return RosterUnit(
        name=text_of(unit, "name") or "unnamed",
        custom_name=text_of(unit, "customName") or None,
        entry_id=text_of(unit, "entryId") or None,
        force=force,
        points=_points_of(unit),
        models=tuple(models),
    )


def _points_of(unit: Node) -> int | None:
    """What the unit and all that is chosen for it cost together; None where nothing says points."""
    nodes = (unit, *_descendants(unit))
    points = (cost for node in nodes for cost in children(node, "costs") if _is_points(cost))
    costs = [float(text_of(cost, "value")) for cost in points]
    return round(sum(costs)) if costs else None


def _is_points(cost: Node) -> bool:
    is_number = re.fullmatch(r"\d{1,6}(\.\d+)?", text_of(cost, "value")) is not None
    return is_number and text_of(cost, "name").lower() in _POINT_NAMES


def _model_groups(unit: Node) -> Iterator[Node]:
    for child in children(unit, "selections"):
        kind = text_of(child, "type")
        if kind == "unit":
            continue
        if kind == "model" or _bodies(child):
            yield child
        else:
            yield from _model_groups(child)


def _read_model(
    group: Node,
    shared: Node | None,
    unit: Node,
    edition: EditionId | None,
    remarks: list[Remark],
    *,
    count: int | None = None,
    is_alone: bool = False,
) -> RosterModel:
    """Miniatures of a unit that are alike; `is_alone`: with nothing of its fellows."""
    where = text_of(group, "customName") or text_of(group, "name") or "unnamed"
    own = _bodies_near(group)
    body = next(iter(own), shared)
    weapons = list(_weapons_of(group, descend=not is_alone))
    if group is not unit and text_of(unit, "type") != "model":
        weapons += _shared_weapons(unit)
    profile, unread = read_profile(_cells(body) if body is not None else None, weapons, where=where)
    remarks += [remark for remark in unread if remark not in remarks]
    number = number_of(group) if count is None else count
    says = _LEADING_NUMBER.match(where) or (_named_number(group) if group is unit and not own[1:] else None)
    may_be = int(says[1]) * number if says is not None and int(says[1]) > 1 else None
    if may_be is not None and may_be != number:
        remarks.append(Remark(where=where, text=f"{number} selected", why=f"the name seems to say {may_be} miniatures"))
    return RosterModel(
        name=where,
        entry_id=text_of(group, "entryId") or None,
        count=number,
        may_be_count=may_be if may_be != number else None,
        base=_base_of(group, unit, edition, where, remarks),
        profile=profile,
        characteristics=tuple(_characteristics(body) if body is not None else ()),
    )


def _named_number(unit: Node) -> re.Match[str] | None:
    """What an option of a unit without models says in its name, as `20 Spearmen`: asked about, never taken."""
    matches = (_LEADING_NUMBER.match(text_of(child, "name")) for child in children(unit, "selections"))
    return next((match for match in matches if match is not None), None)


def _bodies(node: Node) -> list[Node]:
    return [profile for profile in children(node, "profiles") if is_body(_cells(profile))]


def _bodies_near(group: Node) -> list[Node]:
    """The numbers on a model itself, else those on the form that was chosen for it below."""
    if own := _bodies(group):
        return own
    if text_of(group, "type") != "model":
        return []
    return [
        body for child in children(group, "selections") if text_of(child, "type") == "model" for body in _bodies(child)
    ]


def _same_body(body: Node, group: Node) -> bool:
    key = text_of(body, "name"), text_of(body, "id")
    return any(
        key[0] == text_of(own, "name") or (key[1] and key[1] == text_of(own, "id")) for own in _bodies_near(group)
    )


def _weapons_of(node: Node, *, descend: bool) -> Iterator[tuple[str, Cells]]:
    for profile in children(node, "profiles"):
        cells = _cells(profile)
        if is_weapon(cells):
            yield text_of(profile, "name") or "weapon", cells
    for child in children(node, "selections") if descend else ():
        yield from _weapons_of(child, descend=True)


def _shared_weapons(unit: Node) -> list[tuple[str, Cells]]:
    """What the whole unit carries: on the unit, or on an option beside its models."""
    weapons = list(_weapons_of(unit, descend=False))
    for child in children(unit, "selections"):
        has_models = any(text_of(node, "type") == "model" or _bodies(node) for node in (child, *_descendants(child)))
        if not has_models:
            weapons += _weapons_of(child, descend=True)
    return weapons


def _characteristics(profile: Node) -> list[Characteristic]:
    named = text_of(profile, "name")
    return [
        Characteristic(profile=named, name=text_of(cell, "name"), text=text_of(cell, "$text") or text_of(cell, "value"))
        for cell in children(profile, "characteristics")
    ]


def _cells(profile: Node) -> Cells:
    return cells_of(_characteristics(profile))


def _base_of(group: Node, unit: Node, edition: EditionId | None, where: str, remarks: list[Remark]) -> Base | None:
    """The base that a card of the model, else one of the unit, tells."""
    for text in (*_base_texts(group), *_base_texts(unit)):
        read = read_base_size(text, edition)
        if read.why is not None and (remark := Remark(where=where, text=f"base {text}", why=read.why)) not in remarks:
            remarks.append(remark)
        return read.base
    return None


def _base_texts(node: Node) -> Iterator[str]:
    for profile in children(node, "profiles"):
        cells = _cells(profile)
        yield from (text for name, text in cells.items() if name in _BASE_NAMES and text)
    for category in children(node, "categories"):
        label, _, size = text_of(category, "name").partition(":")
        if label.strip().lower() in _BASE_NAMES and size.strip():
            yield size.strip()
