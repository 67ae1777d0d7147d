"""Asking: from a state and a question to a verdict."""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from models.errors import BadState, UnknownThing
from models.house_rules import HOUSE_RULES
from models.miniature import Miniature
from models.queries import TABLE_EDGES, Asked
from models.state import TableState
from models.unit import Unit
from models.verdict import CAPPED_MM, Answer, Flip, Measured, Reason, Verdict
from models.words import Point
from referee.alike import FAR_SIGMAS, LEAST_SIGMA_MM, Alike
from referee.answering import answer_of, probability_of, rounded, within_cap
from referee.disclosing import asked_as, disclosed, unlicensed
from referee.doubt import Doubt, Shares, doubt_of, moves_alike
from referee.edition import Edition, Rule
from referee.editions import EDITIONS
from referee.facings import (
    MOST_OPEN,
    Looked,
    Way,
    answered_together,
    held_together,
    likely,
    looking,
    open_facing,
    tried,
    undecidable,
    ways_of,
)
from referee.mattering import Others, in_doubt, mattering, snapped
from referee.members import member_found, nearest_to_zero, needed
from referee.once import once
from referee.ruling import FacingOpen, FacingUntold, NobodyLeft, Ruling
from referee.situation import Situation
from referee.telling import explained

# Who is turned, and which way: in nothing else do the tables of a question differ.
_Facings = frozenset[tuple[str, float]]
_MOST_UNTOLD = 2  # facings that are tried all round at once; with more, they are asked for


def ask(state: TableState, query: Asked, *, between: Callable[[], None] | None = None) -> Verdict:
    """The verdict on one question about one table, under the rulebook the state names.

    A long answer is found in steps, each the rule asked about one table: whoever asks may let others go first `between`
    them. Raises: UnknownThing when nothing of something that the question names is on the table; BadState when the
    table holds terrain that the rulebook does not know.
    """
    check_names(state, query)
    edition = EDITIONS[state.edition]
    check_terrain(state, edition)
    rule = edition.rules.get(type(query))
    if rule is None:
        return _refused(state, query, edition)
    rule = rule if between is None else _in_steps(rule, between)
    table = Situation(state, edition.id)
    licence = None if edition.licence is None else edition.licence(table, query)
    if licence is not None and not licence.is_open:
        return unlicensed(table, query, edition, licence)
    try:
        verdict = _Asking(edition, rule, query).verdict(table)
    except NobodyLeft as gone:
        field = next((field for field, id_ in query.names() if id_ == gone.id), "unit")
        raise UnknownThing(f"{field}: nobody of {gone.id!r} is on the table", field=field, value=gone.id) from None
    return verdict if licence is None else disclosed(verdict, licence)


def check_names(state: TableState, query: Asked) -> None:
    """Raises: UnknownThing naming the field and the id that is not on the table."""
    one = Miniature | Unit if EDITIONS[state.edition].plays_units else Miniature
    for field, id_ in query.names():
        if id_ in TABLE_EDGES:
            continue
        thing = state.by_id.get(id_)
        if thing is None:
            raise UnknownThing(f"{field}: there is no {id_!r} on the table", field=field, value=id_)
        if query.wants_miniature(field) and not isinstance(thing, one):
            raise UnknownThing(f"{field}: {id_!r} is no miniature", field=field, value=id_)
        if query.wants_unit(field) and not isinstance(thing, Unit):
            raise UnknownThing(f"{field}: {id_!r} is no unit", field=field, value=id_)


def check_terrain(state: TableState, edition: Edition) -> None:
    """Raises: BadState naming a piece of terrain of a kind that the book has no rules for."""
    for k, piece in enumerate(state.terrain):
        if piece.kind in edition.unknown_terrain:
            detail = f"{edition.book} knows no {piece.kind}: give {piece.id!r} a kind that it knows, such as rough"
            raise BadState(detail, field=f"terrain.{k}.kind", value=piece.kind)


def _in_steps(rule: Rule, between: Callable[[], None]) -> Rule:
    def asked(table: Situation, query: Asked) -> Ruling:
        between()
        return rule(table, query)

    return asked


def _refused(state: TableState, query: Asked, edition: Edition) -> Verdict:
    known = edition.id in type(query).EDITIONS
    why = "has no rule for this question yet" if known else "does not know this question"
    return Verdict(
        kind=query.kind,  # type: ignore[attr-defined]
        edition=edition.id,
        status="refused",
        advice=f"{edition.book} {why}.",
        state_id=state.state_id,
        query=asked_as(query),
    )


class _Asking:
    """One question under one rule. What another reading of the book would change is told unless it is not wanted.

    What is found of one table is kept: of all the ways somebody may look, some are asked about more than once.
    """

    def __init__(self, edition: Edition, rule: Rule, query: Asked, *, told_for: "_Asking | None" = None) -> None:
        self.edition, self.rule, self.query, self.tells_flips = edition, rule, query, told_for is None
        self._verdicts: dict[_Facings, Verdict] = {}
        self._told_for = told_for
        self._found: dict[_Facings, tuple[Ruling, Doubt | None]] = {}
        self._doubts: dict[Hashable, list[tuple[Situation, Doubt | None]]] = {}
        self._drawn: Shares = {} if told_for is None else told_for._drawn

    @once
    def _plain(self) -> "_Asking":
        """The same question for those of many tables of which one alone is told."""
        return _Asking(self.edition, self.rule, self.query, told_for=self) if self.tells_flips else self

    def verdict(self, situation: Situation) -> Verdict:
        """The verdict at this table, whoever is turned on it; nothing else on it is changed."""
        facings = _facings_of(situation)
        if facings not in self._verdicts:
            self._verdicts[facings] = self._verdict(situation)
        return self._verdicts[facings]

    def _ruled(self, situation: Situation) -> tuple[Ruling, Doubt | None]:
        """What the rule finds at this table, and its doubt."""
        facings = _facings_of(situation)
        if self._told_for is not None and facings in self._told_for._found:
            return self._told_for._found[facings]
        if facings not in self._found:
            ruling = self.rule(situation, self.query)
            self._found[facings] = ruling, self._doubt(situation, ruling)
        return self._found[facings]

    def _doubt(self, situation: Situation, ruling: Ruling) -> Doubt | None:
        """Its doubt, found once for all ways of looking that change nothing of what is ruled."""
        hung_on = (ruling.told_numbers(), tuple(id_ for id_ in ruling.faces if id_ not in situation.facings_rad))
        for asking in (self,) if self._told_for is None else (self._told_for, self):
            for other, doubt in asking._doubts.get(hung_on, ()):
                if moves_alike(self._rule, ruling, situation, other):
                    return doubt
        doubt = doubt_of(self._rule, situation, ruling, plain=not self.tells_flips, drawn=self._drawn)
        self._doubts.setdefault(hung_on, []).append((situation, doubt))
        return doubt

    def _verdict(self, situation: Situation) -> Verdict:
        try:
            ruling, doubt = self._ruled(situation)
            if ruling.status != "decided":
                return self._undecided(situation, ruling, doubt)
            verdict = self._decided(situation, ruling, doubt)
            open_ = open_facing(situation, ruling.faces) if verdict.answer is Answer.TOO_CLOSE else None
            return verdict if open_ is None else self._for_its_facings(situation, open_)
        except FacingUntold as untold:
            is_open = isinstance(untold, FacingOpen)
            # of a block whose facings nobody told each member's is tried by itself: no more of them than of others
            if tried(situation) >= MOST_OPEN if is_open else len(situation.facings_rad) >= _MOST_UNTOLD:
                return self._facings_needed(situation, (*situation.facings_rad, untold.id))
            return (self._for_its_facings if is_open else self._for_every_facing)(situation, untold.id)

    def _rule(self, situation: Situation) -> Ruling:
        return self.rule(situation, self.query)

    def _decided(self, situation: Situation, ruling: Ruling, doubt: Doubt | None) -> Verdict:
        ruling = snapped(ruling)
        probability = probability_of(ruling, doubt)
        answer = answer_of(probability)
        others = self._under_others(situation, ruling)
        return self._written(
            situation,
            ruling,
            doubt,
            others,
            answer=answer,
            probability=probability,
            at_edge=ruling.decisive_mm == 0,
            flips_under=self._flips(ruling, others, doubt, answer),
            advice=self.edition.too_close if answer is Answer.TOO_CLOSE else ruling.advice,
        )

    def _undecided(self, situation: Situation, ruling: Ruling, doubt: Doubt | None) -> Verdict:
        return self._written(situation, ruling, doubt, self._under_others(situation, ruling), advice=ruling.advice)

    def _written(
        self, situation: Situation, ruling: Ruling, doubt: Doubt | None, others: Others, **decided: Any
    ) -> Verdict:
        members = tuple(member_found(situation, candidate) for candidate in ruling.members)
        if ruling.status == "measured" and ruling.margin_mm is None:
            ruling, doubt = nearest_to_zero(ruling, doubt, members)
        margin = None if ruling.margin_mm is None else within_cap(ruling.margin_mm)
        sigma = doubt.sigma_mm if doubt is not None else 0.0
        capped = margin is not None and abs(margin) >= CAPPED_MM
        known = rounded(margin), None if margin is None else rounded(0.0 if capped else sigma)
        blank = (None, None)
        (mm, sigma_mm), (deg, sigma_deg) = (blank, known) if ruling.in_degrees else (known, blank)
        return Verdict(
            kind=self.query.kind,  # type: ignore[attr-defined]
            edition=self.edition.id,
            status=ruling.status,
            margin_mm=mm,
            margin_deg=deg,
            sigma_mm=sigma_mm,
            sigma_deg=sigma_deg,
            capped=capped,
            members=members,
            value=ruling.value,
            measured=_measured(ruling, doubt),
            witness=ruling.witness,
            blockers=ruling.blockers,
            because=self._cited(explained(ruling.because, margin, members, in_degrees=ruling.in_degrees)),
            house_rules=mattering(situation, ruling, others),
            needs=needed(ruling, members),
            unlock=ruling.unlock,
            state_id=situation.state.state_id,
            query=asked_as(self.query),
            **decided,
        )

    def _cited(self, because: tuple[Reason, ...]) -> tuple[Reason, ...]:
        """The reasons, each with the place where this book has it."""
        cite = self.edition.cite
        return because if cite is None else tuple(dict.fromkeys(map(cite, because)))

    def _under_others(self, situation: Situation, ruling: Ruling) -> Others:
        """What would be ruled under the other readings of the house rules in doubt."""
        found = []
        for key in (key for key in in_doubt(ruling) if key not in self.edition.settled):
            for reading in HOUSE_RULES[key].readings:
                if reading != situation.reading(key):
                    lean = ruling.status == "decided" and key not in ruling.retold
                    other = situation.under(key, reading, lean=lean)
                    found.append((key, reading, other, snapped(self.rule(other, self.query))))
        return tuple(found)

    def _flips(self, ruling: Ruling, others: Others, doubt: Doubt | None, answer: Answer) -> tuple[Flip, ...]:
        """The other readings under which the answer would be another."""
        if not self.tells_flips:
            return ()
        unlike = others if answer is Answer.TOO_CLOSE else [one for one in others if not _hang_on_same(one[3], ruling)]
        asked = ((key, reading, self._answer_under(table, doubt, other)) for key, reading, table, other in unlike)
        return tuple(
            Flip(house_rule=key, reading=reading, answer=other)
            for key, reading, other in asked
            if other is not None and other is not answer
        )

    def _answer_under(self, situation: Situation, doubt: Doubt | None, ruling: Ruling) -> Answer | None:
        if ruling.status != "decided":
            return None
        certain = doubt is None or abs(ruling.decisive_mm) > FAR_SIGMAS * max(doubt.spread_mm, LEAST_SIGMA_MM)
        doubt = None if certain else doubt_of(self._rule, situation, ruling, answer_only=True, drawn=self._drawn)
        return answer_of(probability_of(ruling, doubt))

    def _for_its_facings(self, situation: Situation, id_: str) -> Verdict:
        """The answer for all the ways it may look together; of one that may look any other way too, for all those."""
        ways = ways_of(situation, id_)
        tables = [looking(situation, way) for way in ways]
        if (surely := self._surely_together(ways, tables)) is not None:
            return surely
        found = [Looked(way, self.verdict(table)) for way, table in zip(ways, tables, strict=True)]
        together = answered_together(situation, found)
        if together.answer is not Answer.TOO_CLOSE or len({one.verdict.answer for one in found}) > 1:
            return together
        is_one_of_them = sum(way.probability for way in ways) > 1 - 1e-9
        everywhere = together if is_one_of_them else self._for_every_facing(situation, id_)
        return everywhere if everywhere.answer is found[0].verdict.answer else together

    def _surely_together(self, ways: Sequence[Way], tables: Sequence[Situation]) -> Verdict | None:
        """The answer for all these ways where all are surely answered alike; None where that takes asking each."""
        alike = self._alike(tables, among=likely(ways))
        nearest = alike.nearest()
        if nearest is None or nearest.members:
            return None
        return held_together(nearest, [(way.probability, alike.probability(k)) for k, way in enumerate(ways)])

    def _alike(self, tables: Sequence[Situation], *, among: Sequence[int] | None = None) -> Alike:
        def spread_mm(table: Situation) -> float:
            _, doubt = self._found.get(_facings_of(table), (None, None))
            return 0.0 if doubt is None else doubt.spread_mm

        asked = range(len(tables)) if among is None else among
        return Alike(tables, self._rule, self.verdict, self._plain.verdict, spread_mm, asked)

    def _for_every_facing(self, situation: Situation, id_: str) -> Verdict:
        """The answer that holds whichever way it looks, else too close with the advice to set the facing."""
        tables = [situation.facing(id_, way) for way in self._ways(situation, id_)]
        alike = self._alike(tables)
        if (nearest := alike.nearest()) is not None:
            return nearest
        found: dict[int, Verdict] = {}
        for k in alike.order():
            found[k] = alike.known[k] if k in alike.known else self._plain.verdict(tables[k])
            if found[k].status == "unknown":
                more = (f"facing_deg of {id_}",) if alike.is_decided_somewhere() else ()
                return found[k].model_copy(update={"needs": (*found[k].needs, *more)})
            if all(v.status == "decided" for v in found.values()) and len({v.answer for v in found.values()}) > 1:
                break  # the answer depends on it: no further way can change that
        least = min(found, key=lambda k: abs(found[k].margin_mm or 0.0))
        first, verdicts = found[least], found.values()
        if first.status == "measured" and any(_told(v) != _told(first) for v in verdicts):
            return self._facings_needed(situation, (id_,), first.because)
        if first.status != "decided" or len({v.answer for v in verdicts}) == 1:
            return self.verdict(tables[least]) if self.tells_flips else first
        best = max(verdicts, key=lambda v: -CAPPED_MM if v.margin_mm is None else v.margin_mm)
        return undecidable(
            best,
            needs=(f"facing_deg of {id_}",),
            advice=f"Nobody has said which way {id_} faces, and the answer depends on it: set its facing.",
        )

    def _facings_needed(self, situation: Situation, ids: tuple[str, ...], because: tuple[Reason, ...] = ()) -> Verdict:
        """What can be said where an answer depends on facings that nobody has told."""
        who = ", ".join(ids)
        return Verdict(
            kind=self.query.kind,  # type: ignore[attr-defined]
            edition=self.edition.id,
            status="unknown",
            because=because,
            needs=tuple(f"facing_deg of {id_}" for id_ in ids),
            advice=f"Nobody has said which way {who} faces, and it matters here: set its facing.",
            state_id=situation.state.state_id,
            query=asked_as(self.query),
        )

    def _ways(self, situation: Situation, id_: str) -> list[float]:
        """Facings to try: toward and away from everything the question names, and all round."""
        x, y = situation.centre(id_)
        others = [self._centre(situation, name) for _, name in self.query.names() if name != id_]
        toward = [math.atan2(oy - y, ox - x) for ox, oy in others if (ox, oy) != (x, y)]
        return [*toward, *(a + math.pi for a in toward), *(math.tau * k / 8 for k in range(8))]

    def _centre(self, situation: Situation, name: str) -> Point:
        if name in situation.miniatures:
            return situation.centre(name)
        try:
            return situation.area(name).parts[0].centre
        except FacingUntold as needed:  # whichever way a base lies, its centre stays where it is
            return self._centre(situation.facing(needed.id, 0.0), name)


def _hang_on_same(one: Ruling, other: Ruling) -> bool:
    """Whether two rulings are decided by the same, as far off."""
    return all(
        getattr(one, what) == getattr(other, what)
        for what in ("status", "decisive_mm", "margin_mm", "zero_is_met", "touches", "faces")
    )


def _facings_of(situation: Situation) -> _Facings:
    return frozenset(situation.facings_rad.items())


def _told(verdict: Verdict) -> tuple[object, ...]:
    return verdict.value, verdict.members


def _measured(ruling: Ruling, doubt: Doubt | None) -> tuple[Measured, ...]:
    sigmas = doubt.lengths_mm if doubt is not None else {}
    return tuple(
        Measured(name=name, value_mm=value, sigma_mm=sigmas.get(name, 0.0)) for name, value in ruling.lengths_mm.items()
    )
