"""Command: who hears whom, who follows whom, and who goes back under a control effect."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import CommandRange, Nearest, Promotion, RegroupMove, Rollback
from models.units import inches
from models.verdict import Witness
from referee.candidates import considered
from referee.editions.hordes_mk2.parameters import PROMOTION_MM, because
from referee.editions.warmachine_prime import formations, nearest, restrictions
from referee.editions.warmachine_prime.paths import path_of, speed_mm
from referee.gap_form import limit_form
from referee.gaps import gap
from referee.motion import lengths_within
from referee.ruling import Ruling
from referee.shapes import Area
from referee.situation import Situation
from referee.travel import length_mm, place_after

_CHECKS = because("Command Checks", "One of the unit within the command range lends its CMD to all of the unit.")
_TAKES = because("Standard Bearer", "A Grunt within 1 in of it may take its place when it leaves play.")
_CREW = because("Weapon Crews", "A Grunt within 1 in of the gun's Leader takes its place when it leaves play.")
_NOT_ONE = because("Standard Bearer", "Only the standard bearer, and the Leader of a weapon crew, are followed so.")
_BACK = because("Measuring Control Areas", "An enemy who came into the effect goes back to where it came in.")
_OUT = because("Measuring Control Areas", "Its way never came into the control area.")
_TIES = because("Model Destruction and Tokens", "Those who are as near, for all that can be measured, are drawn among.")


def command_range(table: Situation, query: CommandRange) -> Ruling:
    """Whether one is within the command range, for its whole unit where the check is the unit's.

    Source: Command Checks.
    """
    own = formations.command_range(table, query)
    unit = table.miniature(query.who).unit
    mates = [m.id for m in table.state.miniatures if unit is not None and m.unit == unit and "removed" not in m.status]
    shared = query.purpose in ("test", "rally") and own.status == "decided" and len(mates) > 1
    if not shared or query.commander in mates:
        return own
    asked = [formations.command_range(table, query.model_copy(update={"who": id_})) for id_ in mates]
    best = max(asked, key=lambda r: r.decisive_mm)
    return replace(
        best,
        value={**best.value, "whole_unit": True},
        because=(_CHECKS, *best.because),
        conditions=tuple(asked),
        joined_by="greatest",
    )


def promotion(table: Situation, query: Promotion) -> Ruling:
    """Who of the unit stands near enough to take its place; an inch is. Source: Standard Bearer; Weapon Crews."""
    me = table.miniature(query.who)
    crew = "gunner" in me.role or me.base.counts_as_mm is not None
    if me.unit is None:
        return Ruling(status="unknown", needs=(f"unit of {query.who}",), because=(_TAKES,))
    if not (crew or "standard" in me.role or me.has("standard-bearer")):
        return Ruling(status="refused", because=(_NOT_ONE,), advice=f"{query.who} is neither of them.")
    barred = {"commander", "officer", "standard"}
    mates = tuple(
        m.id
        for m in table.state.miniatures
        if m.unit == me.unit and m.id != me.id and "removed" not in m.status and barred.isdisjoint(m.role)
    )

    def about(nudged: Situation, id_: str) -> Ruling:
        apart = max(0.0, gap(nudged.base(query.who), nudged.base(id_)).mm)
        form = limit_form(nudged, query.who, id_, PROMOTION_MM)
        return Ruling(margin_mm=PROMOTION_MM - apart, touches=(query.who, id_), form=form)

    return Ruling(
        status="measured",
        value={"by_id": {id_: {"distance_mm": gap(table.base(me.id), table.base(id_)).mm} for id_ in mates}},
        because=(_CREW if crew else _TAKES,),
        touches=(query.who,),
        members=considered(table, mates, about),
    )


def nearest_of(table: Situation, query: Nearest) -> Ruling:
    """Everybody by distance; whom a measuring error could swap is drawn. Source: Model Destruction and Tokens."""
    ruling = nearest.nearest(table, query)
    told = ruling.value.get("by_id")
    if table.reading("nearest-tie") == "exact" or not isinstance(told, dict) or not told:
        return ruling
    gaps = {id_: float(str(one["distance_mm"])) for id_, one in told.items() if isinstance(one, dict)}
    least = min(gaps.values())
    ties = [
        id_
        for id_, mm in gaps.items()
        if mm - least <= max(1e-6, _doubt_mm(table, id_, min(gaps, key=gaps.__getitem__)))
    ]
    value: dict[str, JsonValue] = {**ruling.value, "ties": [*ties] if len(ties) > 1 else []}
    advice = "They are equally near: draw one at random." if len(ties) > 1 else None
    doubtful = ("nearest-tie",) if len(ties) > 1 else ()
    return replace(ruling, value=value, advice=advice, readings=("nearest-tie",), doubtful=doubtful,
                   because=(*ruling.because, *((_TIES,) if len(ties) > 1 else ())))  # fmt: skip


def _doubt_mm(table: Situation, a: str, b: str) -> float:
    """The combined error of two places."""
    if a not in table.miniatures or b not in table.miniatures or a == b:
        return 0.0
    return float(sum(table.miniature(id_).covariance()[0][0] for id_ in (a, b)) ** 0.5)


def regroup_move(table: Situation, query: RegroupMove) -> Ruling:
    """Whether a trooper out of formation went back as it must: advancing, or running straight at its commander.

    Source: Out of Formation; Activating Units, which leaves the run out.
    """
    ruling = restrictions.regroup_move(table, query)
    if table.reading("regroup-run") == "yes" or ruling.status != "decided":
        return replace(ruling, readings=("regroup-run",), doubtful=("regroup-run",))
    ways = ruling.value.get("ways")
    assert isinstance(ways, dict)
    return replace(
        ruling, margin_mm=float(str(ways["advance"])), slack_mm=None, conditions=(), readings=("regroup-run",)
    )


def rollback(table: Situation, query: Rollback) -> Ruling:
    """Where an enemy goes back to that moved in a control area nobody had measured. Source: Measuring Control Areas."""
    stat, path = table.miniature(query.caster).profile.control_stat, path_of(table, query.mover, query.path_mm)
    if stat is None or path is None:
        need = f"profile.control_stat of {query.caster}" if stat is None else "path_mm"
        return Ruling(status="unknown", needs=(need,), because=(_BACK,), touches=(query.caster, query.mover))
    around = table.area(query.caster)
    inside = lengths_within(table.base(query.mover), path, Area(around.parts), inches(2 * stat))
    entered = inside[0][0] if inside else None
    whole, budget = length_mm(path), speed_mm(table, query.mover)
    end = whole if entered is None else _allowed(entered, whole, query.rate, budget)
    at = place_after(path, end)
    return Ruling(
        status="measured",
        value={"entered_mm": entered, "poses": {query.mover: {"at_mm": list(at)}}, "travelled_mm": end},
        lengths_mm={} if entered is None else {"entered": entered},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_BACK,) if entered is not None else (_BACK, _OUT),
        touches=(query.caster, query.mover),
    )


def _allowed(entered: float, whole: float, rate: float | None, budget: float | None) -> float:
    """How far the way leads: to the area's rim, or on beyond it at the rate the effect leaves."""
    if rate is None:
        return entered
    left = max(0.0, (budget if budget is not None else whole) - entered)
    return min(whole, entered + rate * left)
