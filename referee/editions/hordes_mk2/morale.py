"""Nerve: who has to pass a command check, and how one flees who has failed it."""

import math
from dataclasses import replace
from itertools import pairwise

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Flee, Los, MoraleCheck
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.candidates import considered, in_play, is_met
from referee.clauses import Clauses, all_of, any_of
from referee.editions.hordes_mk2.parameters import TERROR_MM, because
from referee.editions.hordes_mk2.water import is_deep
from referee.editions.warmachine_prime.going import advancing
from referee.editions.warmachine_prime.in_melee import enemies
from referee.editions.warmachine_prime.melee import HELPLESS, reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.paths import path_of, speed_mm
from referee.gap_form import limit_form
from referee.gaps import gap
from referee.ruling import Ruling
from referee.sides import are_enemies
from referee.situation import Situation
from referee.travel import cost_mm, length_mm, slow_stretches

_ABOMINATION = because("Terrifying Entity", "Everybody within 3 in of an abomination, friend or foe, is tested.")
_TERROR = because("Terrifying Entity", "Enemies in its melee range, or with it in theirs, are tested.")
_EXEMPT = because("Fearless Models", "Who never flees is not tested: the fearless, warbeasts, those who flee already.")
_LOSSES = because("Massive Casualties", "A unit that has lost half of those it had this turn is tested, once.")
_WHEN = because("Terrifying Entity", "Tested when the normal movement ends that brought them near, a unit all at once.")
_RUNS = because("Fleeing", "A fleeing model runs, as far as it likes, and not toward any enemy.")
_CAPPED = because("Fleeing", "It runs up to twice its speed.")


def morale_check(table: Situation, query: MoraleCheck) -> Ruling:
    """Who has to pass a command check now. Source: Terrifying Entity; Massive Casualties."""
    if query.cause in ("terror", "abomination"):
        return _by_entity(table, query)
    if query.cause == "casualties":
        return _by_losses(table, query)
    return Ruling(status="refused", because=(_LOSSES,), advice=f"The book has no check for {query.cause}.")


def _by_entity(table: Situation, query: MoraleCheck) -> Ruling:
    if query.source is None:
        return Ruling(status="unknown", needs=("source",), because=(_TERROR,))
    source, cause = query.source, query.cause
    others = tuple(id_ for id_ in in_play(table, source) if _may_be_tested(table, cause, source, id_))
    ids = tuple(sorted(others, key=lambda id_: gap(table.base(source), table.base(id_)).mm))

    def about(nudged: Situation, id_: str) -> Ruling:
        return _near(nudged, source, id_) if cause == "abomination" else _in_terror(nudged, source, id_)

    found = considered(table, ids, about)
    tested = [c.id for c in found if c.ruling is not None and is_met(c.ruling)]
    units = dict.fromkeys(table.miniature(id_).unit or id_ for id_ in tested)
    return Ruling(
        status="measured",
        value={"when": "end-of-normal-movement", "units": [*units], "threshold": None},
        because=(_ABOMINATION if cause == "abomination" else _TERROR, _WHEN, _EXEMPT),
        readings=() if cause == "abomination" else ("terror-sight",),
        members=found,
    )


def _may_be_tested(table: Situation, cause: str, source: str, id_: str) -> bool:
    """Source: Terrifying Entity; Fearless Models; Warbeast Special Rules; Fleeing."""
    me = table.miniature(id_)
    foe = are_enemies(table.state, table.miniature(source), me)
    same = me.unit is not None and me.unit == table.miniature(source).unit
    return (foe or (cause == "abomination" and not same)) and not _never_flees(me)


def _never_flees(miniature: Miniature) -> bool:
    """Source: Fearless Models; Warbeast Special Rules; Warbeast Constructs; Fleeing."""
    fearless = miniature.has("fearless") or miniature.has("construct") or miniature.type in ("warbeast", "warjack")
    return fearless or "fleeing" in miniature.status


def _near(table: Situation, source: str, id_: str) -> Ruling:
    apart = max(0.0, gap(table.base(source), table.base(id_)).mm)
    form = limit_form(table, source, id_, TERROR_MM)
    return Ruling(margin_mm=TERROR_MM - apart, because=(_ABOMINATION,), touches=(source, id_), form=form)


def _in_terror(table: Situation, source: str, id_: str) -> Ruling:
    """In the entity's melee range, or with it in one's own. Source: Terrifying Entity, which asks for no sight."""
    near = any_of((_reaches(table, source, id_), _reaches(table, id_, source)))
    if table.reading("terror-sight") == "reach-only" or not is_met(near):
        return replace(near, doubtful=(*near.doubtful, "terror-sight"))
    seen = any_of((table.ruled(Los(viewer=source, target=id_)), table.ruled(Los(viewer=id_, target=source))))
    return all_of((("reach", near), ("sight", seen)))


def _reaches(table: Situation, attacker: str, target: str) -> Ruling:
    helpless = next((why for word, why in HELPLESS.items() if word in table.miniature(attacker).status), None)
    reaches = weapon_reaches(table.miniature(attacker))
    if helpless is not None or not reaches:
        return Ruling(margin_mm=-CAPPED_MM, because=(helpless or _TERROR,), touches=(attacker, target))
    return reach_ruling(table, attacker, target, reaches)


def _by_losses(table: Situation, query: MoraleCheck) -> Ruling:
    """Source: Massive Casualties."""
    unit = next((u for u in table.state.units if u.id == query.unit), None)
    if unit is None:
        return Ruling(status="unknown", needs=("unit",), because=(_LOSSES,))
    had = None if unit.started is None or unit.started.turn is None else unit.started.turn.models
    if had is None:
        return Ruling(status="unknown", needs=(f"started.turn of {unit.id}",), because=(_LOSSES,))
    left = [m.id for m in table.state.miniatures if m.unit == unit.id and "removed" not in m.status]
    lost, threshold = had - len(left), math.ceil(had / 2)
    tested = lost >= threshold > 0
    value: dict[str, JsonValue] = {
        "when": "at-once", "units": [unit.id] if tested else [], "threshold": threshold, "lost": lost,
    }  # fmt: skip

    def about(nudged: Situation, id_: str) -> Ruling:
        holds = tested and not _never_flees(nudged.miniature(id_))
        return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(_LOSSES,), touches=(id_,))

    return Ruling(status="measured", value=value, because=(_LOSSES, _EXEMPT), members=considered(table, left, about))


def flee(table: Situation, query: Flee) -> Ruling:
    """Whether a fleeing model's way keeps the rules: no step nearer to any enemy, no farther than a run.

    Source: Fleeing. Standing still is allowed.
    """
    allowance = run_mm(table, query.mover)
    path = path_of(table, query.mover, query.path_mm)
    foes = enemies(table, query.mover) if query.threats is None else query.threats
    if path is None:
        value: dict[str, JsonValue] = {"allowance_mm": allowance, "result": "flees", "threats": [*foes]}
        return Ruling(status="measured", value=value, because=(_RUNS, _CAPPED), touches=(query.mover,))
    slack, first = slack_mm(table, path, foes)
    away = Ruling(margin_mm=slack, because=(_RUNS,), readings=("flee-toward",), touches=(query.mover, *foes))
    clauses: Clauses = (("away", away), ("allowance", paid(table, query.mover, path, allowance)))
    ruling = all_of(clauses)
    told: dict[str, JsonValue] = {
        "first_break_mm": first, "allowance_mm": allowance, "result": "flees",
        "poses": {query.mover: {"at_mm": list(path[-1])}},
    }  # fmt: skip
    return Ruling(
        status=ruling.status,
        margin_mm=ruling.margin_mm,
        needs=ruling.needs,
        value=ruling.value | told,
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_RUNS, _CAPPED),
        readings=("flee-toward",),
        doubtful=("flee-toward",) if slack < 0 else (),
        touches=ruling.touches,
    )


def run_mm(table: Situation, mover: str) -> float | None:
    """A run, or a full advance where it cannot run. Source: Fleeing; Deep Water."""
    speed = speed_mm(table, mover)
    return None if speed is None else speed if is_deep(table, mover) else 2 * speed


def paid(table: Situation, mover: str, path: tuple[Point, ...], allowance: float | None) -> Ruling:
    if allowance is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {mover}",), because=(_CAPPED,), touches=(mover,))
    ground = slow_stretches(table.base(mover), path, advancing(table, mover).slow)
    return Ruling(margin_mm=allowance - cost_mm(length_mm(path), ground), because=(_CAPPED,), touches=(mover,))


def slack_mm(table: Situation, path: tuple[Point, ...], foes: tuple[str, ...]) -> tuple[float, float | None]:
    """How much farther off each leg began than where it would come nearer to an enemy, and where it first does."""
    if table.reading("flee-toward") == "whole-path":
        gained = [math.dist(path[-1], table.centre(f)) - math.dist(path[0], table.centre(f)) for f in foes]
        return min(gained, default=CAPPED_MM), None
    slack, first, before = CAPPED_MM, None, 0.0
    for a, b in pairwise(path):
        leg = math.dist(a, b)
        for foe in foes if leg > 0 else ():
            x, y = table.centre(foe)
            nearest = ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) / leg
            slack = min(slack, -nearest)
            first = before if nearest > 1e-9 and first is None else first
        before += leg
    return slack, first
