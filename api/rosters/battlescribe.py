"""BattleScribe list: forces and selections of BattleScribe and New Recruit -> units, models and their cards.

Read by structure, never by names. A unit is a selection that is a unit or a model, one with the numbers of a
miniature on it, or one that holds several models, wherever it hangs. In a unit, each model selection and each option
that brings numbers of its own stands for as many miniatures as it says; what hangs below a model, as its mount or its
weapons, is no further miniature. Numbers that stand on the unit and are used by none of its models belong to one
miniature more: its leader, or the thing that is crewed.
"""

import re
from collections.abc import Iterator

from api.errors import BadRoster
from api.rosters.base_sizes import read_base_size
from api.rosters.file_opening import limit_units
from api.rosters.game_names import edition_of
from api.rosters.profile_reading import Cells, cells_of, is_body, is_weapon, read_profile
from api.rosters.selection_tree import Node, children, number_of, text_of
from models.base import Base
from models.roster import Characteristic, Remark, RosterCounts, RosterFormat, RosterList, RosterModel, RosterUnit
from models.vocabulary import EditionId

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
        models=tuple(models),
    )


def _model_groups(unit: Node) -> Iterator[Node]:
    """The selections below a unit that stand for miniatures of it."""
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
