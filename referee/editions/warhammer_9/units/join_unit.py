"""Join unit: whether a character may join or leave a unit, and where it stands."""

from pydantic import JsonValue

from models.errors import BadQuery
from models.miniature import Miniature
from models.queries import JoinUnit
from models.verdict import CAPPED_MM
from models.vocabulary import Ability
from referee.editions.warhammer_9.parameters import MOUNTED, because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.engagement import contact_mm, engaged_with
from referee.editions.warhammer_9.units.regiment import (
    are_friends,
    base_size_mm,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import strength_of, this_turn_of
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult

_JOIN = because("Joining a Unit", 81, "In contact, friends, not fighting or fleeing, of a type no stronger than his.")
_LEAVE = because("Leaving a Unit", 83, "Before its unit moves, and only where the unit may move.")
_ALIKE: tuple[Ability, ...] = ("unbreakable", "ethereal")
_JOINED = frozenset({"infantry", "cavalry", "monstrous-infantry", "monstrous-beast", "monstrous-cavalry"})


def join_unit(table: ExactTable, query: JoinUnit) -> RuleResult:
    """Join unit: whether a character may join or leave, and where it stands. Source: p. 81-82.

    Raises: BadQuery where he is to join the unit that he is in.
    """
    character, unit = table.miniature(members_of(table, query.who)[0]), query.unit
    first = leading_miniature(table, unit)
    leaving = query.manner == "leave"
    if not leaving and character.unit == unit:
        raise BadQuery(f"who: {character.id} is in {unit} already", field="who", value=query.who)
    between = closest_bases(table, query.who, unit)
    clauses: dict[str, float] = {
        "own-side": CAPPED_MM if are_friends(table, query.who, unit) else -CAPPED_MM,
        "not-fighting": -CAPPED_MM if engaged_with(table, unit) else CAPPED_MM,
        "not-fleeing": -CAPPED_MM if "fleeing" in first.status else CAPPED_MM,
        "character": CAPPED_MM if "character" in character.role else -CAPPED_MM,
    }
    if leaving:
        deeds = this_turn_of(table, unit)
        clauses["before-it-moves"] = -CAPPED_MM if deeds.moved or deeds.charge_failed else CAPPED_MM
        clauses["not-just-joined"] = -CAPPED_MM if character.this_turn.joined else CAPPED_MM
    else:
        mine, theirs = strength_of(table, character.id) or 0.0, strength_of(table, first.id) or 0.0
        clauses["contact"] = contact_mm(table) - between.mm
        clauses["strength"] = CAPPED_MM if mine >= theirs else -CAPPED_MM
        clauses |= {name: CAPPED_MM if may else -CAPPED_MM for name, may in _company(table, character, first).items()}
    cells, fits = _cells_needed(table, character.id, unit)
    rule = _LEAVE if leaving else _JOIN
    value: dict[str, JsonValue] = {
        "cells": cells,
        "place": "front-rank" if fits else "beside",
        "clauses": list_margins(clauses),
    }
    return RuleResult(
        margin_mm=min(clauses.values()),
        value=value,
        because=(with_effect(table, rule, f"{name_of(table, unit)} is {format_length(max(0.0, between.mm))} away."),),
        depends_on_place=() if leaving else between.depends_on,
    )


def _company(table: ExactTable, character: Miniature, first: Miniature) -> dict[str, bool]:
    """Which units he may be of, by his kind and theirs. Source: What Unit Can I Join?, p. 81; p. 57-67."""
    mine, theirs = kind_of(character), kind_of(first)
    flies, fly = (miniature.has("fly") or miniature.has("hover") for miniature in (character, first))
    loose = first.has("skirmishers") or is_skirmishing(table, first.unit or first.id)
    alike = {word: character.has(word) == first.has(word) for word in _ALIKE}
    fits = theirs in _JOINED or mine == theirs == "chariot"
    return {
        "kind": fits and (mine not in ("monster", "chariot") or theirs == mine),
        "on-foot": not (loose and mine in MOUNTED),
        "flyers": not fly or (flies and mine == theirs),
        "joinable": not any(first.has(word) for word in ("expendable", "mixed-unit")),
        **{word: held for word, held in alike.items() if first.has(word) or character.has(word)},
        **({"ethereal": True} if character.has("ethereal") else {}),
    }


def _cells_needed(table: ExactTable, character: str, unit: str) -> tuple[int, bool]:
    """How many places of the grid its base takes, and whether it fits them. Source: Characters in Units, p. 81."""
    (w, d), (cw, cd) = base_size_mm(table.miniature(character)), regiment(table, unit).base_mm
    wide, deep = w / cw, d / cd
    fits = all(abs(share - round(share)) < 0.02 and round(share) >= 1 for share in (wide, deep))
    return (round(wide) * round(deep) if fits else 1), fits
