"""Open edition: measuring without a rulebook; what a game decides is chosen by settings.

Where a rule of a book is plain geometry the same function answers here, and its reason names the edition instead.
"""

from models import queries
from models.verdict import Reason, Source
from models.vocabulary import OPEN_EDITION
from referee.editions.open import (
    action,
    arcs,
    aura,
    coherency,
    cover,
    distances,
    engaged,
    los,
    may_measure,
    move,
    parameters,
    template_hits,
)
from referee.editions.warmachine.miniatures import areas
from referee.editions.warmachine.miniatures import distances as shared_distances
from referee.editions.warmachine.miniatures.distances import b2b
from referee.editions.warmachine.movement import cross_obstacle, fall
from referee.rules.edition import Edition


def cite(reason: Reason) -> Reason:
    """The reason of a shared rule as plain geometry: it stands in no book."""
    if reason.source.book == parameters.BOOK:
        return reason
    return Reason(source=Source(book=parameters.BOOK, section="plain geometry"), says=reason.says, effect=reason.effect)


EDITION = Edition(
    id=OPEN_EDITION,
    book=parameters.BOOK,
    too_close=parameters.TOO_CLOSE,
    cite=cite,
    engage_in=engaged.engage_in,
    settled_readings={"area-touch": "covered", "graze": "passes", "edge-stop": "base-edge"},
    rules={
        queries.Distance: distances.distance,
        queries.Within: distances.within,
        queries.CompletelyWithin: distances.completely_within,
        queries.Range: distances.in_range,
        queries.Nearest: distances.nearest,
        queries.InArea: areas.in_area,
        queries.Aura: aura.aura,
        queries.B2b: b2b,
        queries.BasesClear: shared_distances.bases_clear,
        queries.InFrontArc: arcs.in_front_arc,
        queries.InBackArc: arcs.in_back_arc,
        queries.Arc: arcs.arc,
        queries.Los: los.line_of_sight,
        queries.Cover: cover.cover,
        queries.Engaged: engaged.engaged,
        queries.Action: action.action,
        queries.Move: move.move,
        queries.FitsBetween: cross_obstacle.fits_between,
        queries.TableEdge: fall.table_edge,
        queries.TemplateHits: template_hits.template_hits,
        queries.Formation: coherency.coherency,
        queries.MayMeasure: may_measure.may_measure,
    },
)
