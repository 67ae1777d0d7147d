"""Tramples: whom the sweep of a base runs over, where it may end, and who strikes back."""

from dataclasses import replace
from typing import Literal

from pydantic import JsonValue

from models.queries import FreeStrike, Trample
from models.units import inches, radians
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.candidates import considered, in_play, is_met
from referee.clauses import Clauses, all_of
from referee.editions.warmachine_prime.able import able, forfeited
from referee.editions.warmachine_prime.arcs import arc_depth_mm
from referee.editions.warmachine_prime.charges import EXTRA_MM
from referee.editions.warmachine_prime.free_strikes import free_strike
from referee.editions.warmachine_prime.going import charging
from referee.editions.warmachine_prime.ground import size_mm
from referee.editions.warmachine_prime.parameters import MEDIUM_MM, because
from referee.editions.warmachine_prime.paths import speed_mm
from referee.editions.warmachine_prime.room import off_bases
from referee.editions.warmachine_prime.terms import terms_of
from referee.ruling import FacingUntold, Ruling
from referee.situation import Situation
from referee.travel import Things, Travelled, meetings, place_after, straight, swept_gap, travel

_WAY = because("Trample", 48, "Straight on for SPD + 3 in, over small bases, to the first larger base or solid thing.")
_ROOM = because("Trample", 48, "There has to be room for the base where it ends.")
_OVER = because("Trample", 48, "Every small base it moved through is attacked.")
_BACK = because("Trample", 48, "Back strikes and shields go by where it first touched each of them.")
_STRIKES = because("Trample", 48, "Free strikes come after the attacks, though not from small bases it ran over.")
_UNABLE = because("Trample", 48, "Who forfeited Movement or Action, or whose movement is crippled, cannot trample.")


def trample(table: Situation, query: Trample) -> Ruling:
    """Whether the trample may end where it ends, and whom it runs over. Source: Trample, p. 48."""
    budget = _budget_mm(table, query)
    if budget is None:
        need = f"profile.spd_in of {query.attacker}"
        return Ruling(status="unknown", needs=(need,), because=(_WAY,), touches=(query.attacker,))
    walked = _walked(table, query, budget)
    ended = table.placed(query.attacker, walked.end)
    path = (table.centre(query.attacker), walked.end)

    def about(nudged: Situation, id_: str) -> Ruling:
        return _run_over(nudged, query, id_, budget)

    ids = _sorted(table, query, path)
    ruling = all_of(_clauses(table, ended, query))
    met = () if walked.stopped_by is None else (walked.stopped_by,)
    return replace(
        ruling,
        value={**ruling.value, **_value(table, query, walked, path)},
        lengths_mm={"travelled": walked.travelled_mm},
        witness=(Witness(type="segment", role="path", points_mm=path, of=(query.attacker,)),),
        because=(_WAY, *ruling.because, _OVER, _STRIKES),
        touches=tuple(dict.fromkeys((*ruling.touches, *met))),
        members=considered(table, ids, about),
    )


def _budget_mm(table: Situation, query: Trample) -> float | None:
    """Source: Trample, p. 48: the current speed and 3 in at most."""
    speed = speed_mm(table, query.attacker) if query.speed_in is None else inches(query.speed_in)
    if query.distance_in is not None:
        told = inches(query.distance_in)
        return told if speed is None else min(told, speed + EXTRA_MM)
    return None if speed is None else speed + EXTRA_MM


def _walked(table: Situation, query: Trample, budget: float) -> Travelled:
    going = charging(table, query.attacker, running_over=True)
    going = replace(going, crossed=())  # small bases do not stop it: ending on one makes the trample illegal
    path = straight(table.centre(query.attacker), radians(query.heading_deg), budget)
    return travel(table.base(query.attacker), path, going, budget)


def _clauses(table: Situation, ended: Situation, query: Trample) -> Clauses:
    me = table.miniature(query.attacker)
    barred = bool(forfeited(table, me.id)) or "crippled-movement" in me.status
    return (
        ("able", able(table, me.id)),
        ("card", Ruling(margin_mm=-CAPPED_MM if barred else CAPPED_MM, because=(_UNABLE,) if barred else ())),
        *terms_of(table).rush_clauses(table, me.id),
        ("room", replace(off_bases(ended, query.attacker), because=(_ROOM,))),
    )


def _sorted(table: Situation, query: Trample, path: tuple[Point, Point]) -> tuple[str, ...]:
    """Everybody else: first those it meets, in order, then the nearest."""
    others = in_play(table, query.attacker)
    order = {s.id: s.after_mm for s in meetings(table.base(query.attacker), path, _areas(table, others))}
    base = table.base(query.attacker)
    return tuple(
        sorted(others, key=lambda id_: (id_ not in order, order.get(id_, swept_gap(base, path, table.base(id_)))))
    )


def _areas(table: Situation, ids: tuple[str, ...]) -> Things:
    return tuple((id_, table.area(id_)) for id_ in ids)


def _run_over(table: Situation, query: Trample, id_: str, budget: float) -> Ruling:
    """Whether it is a small base that the sweep meets. Source: Trample, p. 48."""
    walked = _walked(table, query, budget)
    depth = -swept_gap(table.base(query.attacker), (walked.path[0], walked.end), table.base(id_))
    small = size_mm(table.miniature(id_)) < MEDIUM_MM
    return Ruling(
        margin_mm=depth if small else -CAPPED_MM,
        zero_is_met=table.reading("graze") != "passes",
        because=(_OVER,),
        touches=(query.attacker, id_),
    )


def _value(table: Situation, query: Trample, walked: Travelled, path: tuple[Point, Point]) -> dict[str, JsonValue]:
    by_id: dict[str, JsonValue] = {}
    if not table.lean:
        others = tuple(i for i in in_play(table, query.attacker) if size_mm(table.miniature(i)) < MEDIUM_MM)
        for stop in meetings(table.base(query.attacker), path, _areas(table, others)):
            at = place_after(path, stop.after_mm)
            by_id[stop.id] = {"at_mm": list(at), "back_strike": _from_behind(table, query.attacker, stop.id, at)}
    return {
        "by_id": by_id,
        "travelled_mm": walked.travelled_mm,
        "stopped_by": walked.stopped_by,
        "poses": {query.attacker: {"at_mm": list(walked.end), "facing_deg": query.heading_deg % 360.0}},
        "free_strikes": [] if table.lean else _strikers(table, query, path),
    }


def _from_behind(table: Situation, attacker: str, victim: str, at: Point) -> bool | None:
    """Whether the base lay wholly in the victim's back arc at first contact; None when its facing is not told."""
    try:
        return arc_depth_mm(table.placed(attacker, at), victim, attacker) < -1e-9
    except FacingUntold:
        return None


def _strikers(table: Situation, query: Trample, path: tuple[Point, Point]) -> list[JsonValue]:
    if path[0] == path[1]:
        return []
    by_hits = "hits" in query.model_fields_set and terms_of(table).missed_strike
    cause: Literal["advance", "trample"] = "advance" if by_hits else "trample"
    found = free_strike(table, FreeStrike(mover=query.attacker, path_mm=path, cause=cause))
    out = frozenset(query.hits) if by_hits else frozenset[str]()
    return [c.id for c in found.members if c.ruling is not None and is_met(c.ruling) and c.id not in out]
