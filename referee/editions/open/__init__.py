"""Open edition: measuring without a rulebook; what a game decides is chosen by settings.

Where a rule of a book is plain geometry the same function answers here, and its reason names the edition instead.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from models import queries
from models.house_rules import OPEN_SETTINGS
from models.verdict import Reason, Source
from models.vocabulary import OPEN_EDITION
from models.written_book import BookInPlay
from referee.editions.open import (
    action,
    arcs,
    coherency,
    cover,
    distances,
    los,
    move,
    settings,
    template_hits,
    written_rules,
)
from referee.editions.warmachine.miniatures import areas
from referee.editions.warmachine.miniatures import distances as shared_distances
from referee.editions.warmachine.movement import cross_obstacle, fall
from referee.rules.edition import Edition

_KEYS = {rule.doubt: rule.key for rule in OPEN_SETTINGS} | {
    "plain geometry": "plain-geometry",
    action.SECTION: "actions",
}
"""By the section that a reason of the open edition names, the key that a book tells its own place and words by."""


def cite(reason: Reason) -> Reason:
    """The reason of a shared rule as plain geometry: it stands in no book."""
    if reason.source.book == settings.BOOK:
        return reason
    return Reason(source=Source(book=settings.BOOK, section="plain geometry"), says=reason.says, effect=reason.effect)


EDITION = Edition(
    id=OPEN_EDITION,
    book=settings.BOOK,
    too_close=settings.TOO_CLOSE,
    cite=cite,
    engage_in=distances.engage_in,
    settled_readings={"area-touch": "covered", "graze": "passes", "edge-stop": "base-edge"},
    rules={
        queries.Distance: distances.distance,
        queries.Within: distances.within,
        queries.CompletelyWithin: distances.completely_within,
        queries.Range: distances.in_range,
        queries.Nearest: distances.nearest,
        queries.InArea: areas.in_area,
        queries.Aura: distances.aura,
        queries.B2b: shared_distances.b2b,
        queries.BasesClear: shared_distances.bases_clear,
        queries.InFrontArc: arcs.in_front_arc,
        queries.InBackArc: arcs.in_back_arc,
        queries.Arc: arcs.arc,
        queries.Los: los.line_of_sight,
        queries.Cover: cover.cover,
        queries.Engaged: distances.engaged,
        queries.Action: action.action,
        queries.Move: move.move,
        queries.FitsBetween: cross_obstacle.fits_between,
        queries.TableEdge: fall.table_edge,
        queries.TemplateHits: template_hits.template_hits,
        queries.Formation: coherency.coherency,
        queries.MayMeasure: settings.may_measure,
        queries.WrittenRule: written_rules.written_rule,
    },
)


def write_edition(edition: Edition, book: BookInPlay) -> Edition:
    """The open edition as this book has it."""
    return replace(
        edition,
        book=book.stamp.title(),
        too_close=book.rules.texts.get("too-close", edition.too_close),
        rules={**edition.rules, **written_rules.replaced_rules(book.rules.program)},
        cite=partial(_cite, edition.cite, book),
    )


def _cite(before: Callable[[Reason], Reason] | None, book: BookInPlay, reason: Reason) -> Reason:
    """The reason with the book's name, its section and its words, where it tells them; else by what is decided."""
    plain = reason if before is None else before(reason)
    if plain.source.book != settings.BOOK:
        return plain
    key = _KEYS.get(plain.source.section, plain.source.section)
    cited = book.rules.sources.get(key)
    source = Source(
        book=book.stamp.title(),
        section=plain.source.section if cited is None else cited.section,
        page=None if cited is None else cited.page,
    )
    return Reason(source=source, says=book.rules.texts.get(key, plain.says), effect=plain.effect)
