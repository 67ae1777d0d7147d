"""The nearest of several; exact ties are drawn by the players."""

from models.miniature import Miniature
from models.queries import Nearest
from models.verdict import CAPPED_MM
from models.words import Point
from referee.candidates import considered, in_play, of_side
from referee.editions.warmachine_prime.distances import ruler, touched
from referee.editions.warmachine_prime.parameters import because
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_NEAREST = because(
    "Corpse & Soul Tokens", 60, "Of those who may claim it the nearest does, measured from base edge to base edge."
)
_RIVAL_MM = 10.0  # whoever is this much farther than the nearest cannot become it by a measuring error


def nearest(table: Situation, query: Nearest) -> Ruling:
    """Everybody by distance, the nearest first. Source: Corpse & Soul Tokens, p. 60; Measuring Distances, p. 12."""
    ids = _candidates(table, query)
    if not ids:
        return Ruling(status="measured", value={"ties": [], "by_id": {}}, because=(_NEAREST,))
    gaps = {id_: _apart(table, query.a, id_) for id_ in ids}
    order = sorted(ids, key=lambda id_: gaps[id_])
    least = gaps[order[0]]
    rivals = tuple(id_ for id_ in order if gaps[id_] <= least + _RIVAL_MM) + tuple(order[1:2])

    def about(nudged: Situation, id_: str) -> Ruling:
        return _ahead(nudged, query.a, id_, tuple(dict.fromkeys(r for r in rivals if r != id_)))

    ties = [id_ for id_ in order if gaps[id_] - least < 1e-6]
    between = area_gap(table.area(query.a), table.area(order[0]))
    return Ruling(
        status="measured",
        value={"ties": list(ties) if len(ties) > 1 else [], "by_id": {i: {"distance_mm": gaps[i]} for i in order}},
        lengths_mm={"distance": least},
        witness=(ruler(between, query.a, order[0], role="clear"),),
        because=(applied(table, _NEAREST, f"The nearest is {name_of(table, order[0])}, {length(least)} away."),),
        touches=touched(query.a, order[0]),
        members=considered(table, order, about),
        advice="They are equally near: draw one at random." if len(ties) > 1 else None,
    )


def _ahead(table: Situation, source: str | Point, id_: str, rivals: tuple[str, ...]) -> Ruling:
    """By how much it is nearer than every rival."""
    if not rivals:
        return Ruling(margin_mm=CAPPED_MM, touches=touched(source, id_))
    next_best = min(_apart(table, source, rival) for rival in rivals)
    return Ruling(margin_mm=next_best - _apart(table, source, id_), touches=touched(source, id_, *rivals))


def _apart(table: Situation, source: str | Point, id_: str) -> float:
    return max(0.0, area_gap(table.area(source), table.area(id_)).mm)


def _candidates(table: Situation, query: Nearest) -> tuple[str, ...]:
    if query.among is not None:
        return tuple(dict.fromkeys(query.among))
    source = table.state.by_id.get(query.a) if isinstance(query.a, str) else None
    side = source.side if isinstance(source, Miniature) else query.asked_by
    return of_side(table, in_play(table, *touched(query.a)), side, query.only)
