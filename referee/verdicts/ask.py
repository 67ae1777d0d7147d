"""Asking the referee: from a state and a question to a verdict."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from models.errors import UnknownThing
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import CAPPED_MM, Answer, Flip, MeasuredLength, Reason, Verdict
from referee.cached_attribute import cached_attribute
from referee.editions.registry import edition_of
from referee.rules.candidates import traced
from referee.rules.consulted_readings import record_consulted
from referee.rules.edition import Edition, Rule
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import add_margin_in_words
from referee.rules.rule_result import FacingAmbiguous, FacingUnknown, NobodyLeft, RuleResult
from referee.rules.size_classes import HOUSE_RULE as SIZE_HOUSE_RULE
from referee.uncertainty.probability import (
    Uncertainty,
    cap_margin,
    decide,
    estimate_of,
    has_same_response,
    probability_of,
    round_value,
    uncertainty_of_result,
)
from referee.verdicts.answered_table import show_as_answered
from referee.verdicts.disclosure import disclose, query_fields, refuse_unlicensed
from referee.verdicts.facing_equivalence import FAR_SIGMAS, LEAST_SIGMA_MM, EquivalentFacings
from referee.verdicts.facing_hypotheses import (
    MOST_OPEN,
    FacingHypothesis,
    HypothesisVerdict,
    ambiguous_facing,
    combine_equal_answers,
    combine_over_facings,
    count_hypotheses,
    facing_hypotheses,
    facings_to_try,
    likely_indices,
    too_close_verdict,
    with_hypothesis,
)
from referee.verdicts.house_rule_flips import (
    Others,
    deciding_house_rules,
    evaluate_readings,
    evaluate_unnamed,
    explain_odd_sizes,
    is_decided_alike,
    snap_to_threshold,
    uncertain_house_rules,
)
from referee.verdicts.list_members import evaluate_member, nearest_to_zero, required_facts
from referee.verdicts.switch_flips import describe_flips, list_outcomes, margin_to_flip
from referee.verdicts.validation import check_bases, check_names, check_points, check_terrain

# Who is turned, and which way: in nothing else do the tables of a question differ.
_Facings = frozenset[tuple[str, float]]
_MOST_UNTOLD = 2  # facings that are tried all round at once; with more, they are asked for


def ask(state: TableState, query: BaseQuery, *, between: Callable[[], None] | None = None) -> Verdict:
    """The verdict on one question about one table, under the rulebook the state names.

    A long answer is found in steps, each the rule asked about one table: whoever asks may let others go first `between`
    them. Raises: UnknownThing when nothing of something that the question names is on the table; BadState when the
    table holds terrain that the rulebook does not know.
    """
    check_names(state, query)
    check_points(state, query)
    edition = edition_of(state)
    check_terrain(state, edition)
    check_bases(state)
    rule = edition.rules.get(type(query))
    if rule is None:
        return _refuse(state, query, edition)
    rule = rule if between is None else _call_between(rule, between)
    table = ExactTable(state, edition)
    licence = None if edition.licence is None else edition.licence(table, query)
    if licence is not None and not licence.is_open:
        return refuse_unlicensed(table, query, edition, licence)
    try:
        verdict = _Question(edition, rule, query).verdict(table)
    except NobodyLeft as gone:
        field = next((field for field, id_ in query.names() if id_ == gone.id), "unit")
        raise UnknownThing(f"{field}: nobody of {gone.id!r} is on the table", field=field, value=gone.id) from None
    return verdict if licence is None else disclose(verdict, licence)


def _call_between(rule: Rule, between: Callable[[], None]) -> Rule:
    def asked(table: ExactTable, query: BaseQuery) -> RuleResult:
        between()
        return rule(table, query)

    return asked


def _refuse(state: TableState, query: BaseQuery, edition: Edition) -> Verdict:
    known = edition.id in type(query).EDITIONS
    why = "has no rule for this question yet" if known else "does not know this question"
    return Verdict(
        kind=query.kind,  # type: ignore[attr-defined]
        edition=edition.id,
        book=state.book_stamp,
        status="refused",
        advice=f"{edition.book} {why}.",
        state_id=state.state_id,
        query=query_fields(query),
    )


class _Question:
    """One question under one rule. What another reading of the book would change is told unless it is not wanted.

    What is found of one table is kept: of all the ways somebody may look, some are asked about more than once.
    """

    def __init__(
        self, edition: Edition, rule: Rule, query: BaseQuery, *, whole_question: "_Question | None" = None
    ) -> None:
        self.edition, self.rule, self.query, self.tells_flips = edition, rule, query, whole_question is None
        self._verdicts: dict[_Facings, Verdict] = {}
        self._whole_question = whole_question
        self._results: dict[_Facings, tuple[RuleResult, Uncertainty | None]] = {}
        self._consulted: dict[_Facings, tuple[str, ...]] = {}
        self._uncertainties: dict[Hashable, list[tuple[ExactTable, Uncertainty | None]]] = {}

    @cached_attribute
    def _answer_only(self) -> "_Question":
        """The same question for those of many tables of which one alone is told."""
        return _Question(self.edition, self.rule, self.query, whole_question=self) if self.tells_flips else self

    def verdict(self, table: ExactTable) -> Verdict:
        """The verdict at this table, of which at most facings are changed."""
        facings = _facings_key(table)
        if facings not in self._verdicts:
            self._verdicts[facings] = self._judge(table)
        return self._verdicts[facings]

    def _evaluate(self, table: ExactTable) -> tuple[RuleResult, Uncertainty | None]:
        """What the rule finds at this table, and its uncertainty."""
        facings = _facings_key(table)
        if self._whole_question is not None and facings in self._whole_question._results:
            return self._whole_question._results[facings]
        if facings not in self._results:
            with record_consulted() as consulted:
                result = self._rule(table)
            self._consulted[facings] = tuple(consulted)
            self._results[facings] = result, self._estimate_uncertainty(table, result)
        return self._results[facings]

    def _estimate_uncertainty(self, table: ExactTable, result: RuleResult) -> Uncertainty | None:
        """Its uncertainty, found once for all ways of looking that change nothing of what is ruled."""
        hung_on = (
            result.numeric_key(),
            tuple(id_ for id_ in result.depends_on_facing if id_ not in table.facings_rad),
        )
        for question in (self,) if self._whole_question is None else (self._whole_question, self):
            for other, uncertainty in question._uncertainties.get(hung_on, ()):
                if has_same_response(self._rule, result, table, other):
                    return uncertainty
        uncertainty = uncertainty_of_result(self._rule, table, result, plain=not self.tells_flips)
        self._uncertainties.setdefault(hung_on, []).append((table, uncertainty))
        return uncertainty

    def _judge(self, table: ExactTable) -> Verdict:
        try:
            result, uncertainty = self._evaluate(table)
            if result.status != "decided":
                return self._judge_undecided(table, result, uncertainty)
            verdict = self._judge_decided(table, result, uncertainty)
            open_ = ambiguous_facing(table, result.depends_on_facing) if verdict.answer is Answer.TOO_CLOSE else None
            return verdict if open_ is None else self._judge_hypotheses(table, open_)
        except FacingUnknown as untold:
            is_open = isinstance(untold, FacingAmbiguous)
            # of a block whose facings nobody told each member's is tried by itself: no more of them than of others
            if count_hypotheses(table) >= MOST_OPEN if is_open else len(table.facings_rad) >= _MOST_UNTOLD:
                return self._ask_for_facings(table, (*table.facings_rad, untold.id))
            return (self._judge_hypotheses if is_open else self._judge_all_round)(table, untold.id)

    @cached_attribute
    def _rule(self) -> Callable[[ExactTable], RuleResult]:
        """The rule about one table; what it finds bears the switches that it hangs on."""
        return traced(lambda table: self.rule(table, self.query))

    def _judge_decided(self, table: ExactTable, result: RuleResult, uncertainty: Uncertainty | None) -> Verdict:
        result = snap_to_threshold(result)
        probability = probability_of(result, uncertainty)
        answer = decide(probability, uncertainty, result)
        others = self._evaluate_other_readings(table, result)
        flips = self._find_flips(result, others, uncertainty, answer)
        if self.tells_flips:
            unnamed = evaluate_unnamed(self._rule, table, result, self._consulted.get(_facings_key(table), ()), others)
            more = self._find_flips(result, unnamed, uncertainty, answer)
            flipping = {(flip.house_rule, flip.reading) for flip in more}
            others, flips = (*others, *(other for other in unnamed if other[:2] in flipping)), (*flips, *more)
        return self._write_verdict(
            table,
            show_as_answered(self._rule, table, result, answer) if uncertainty is not None else result,
            uncertainty,
            others,
            answer=answer,
            probability=probability,
            estimate=estimate_of(result, uncertainty),
            at_edge=result.decisive_mm == 0,
            flips_under=flips,
            advice=self.edition.too_close if answer is Answer.TOO_CLOSE else result.advice,
        )

    def _judge_undecided(self, table: ExactTable, result: RuleResult, uncertainty: Uncertainty | None) -> Verdict:
        return self._write_verdict(
            table, result, uncertainty, self._evaluate_other_readings(table, result), advice=result.advice
        )

    def _write_verdict(
        self, table: ExactTable, result: RuleResult, uncertainty: Uncertainty | None, others: Others, **decided: Any
    ) -> Verdict:
        members = tuple(evaluate_member(table, candidate) for candidate in result.members)
        switches, cells = ((), ()) if uncertainty is None else (uncertainty.switches, uncertainty.cells)
        if result.status == "measured" and result.margin_mm is None:
            result, uncertainty = nearest_to_zero(result, uncertainty, members)
        rule_margin = None if result.margin_mm is None else cap_margin(result.margin_mm)
        flips = result.status == "decided"  # of a list each member has a margin of its own
        margin = margin_to_flip(rule_margin, switches) if flips else rule_margin
        sigma = uncertainty.sigma_mm if uncertainty is not None else 0.0
        capped = margin is not None and abs(margin) >= CAPPED_MM
        known = round_value(margin), None if margin is None else round_value(0.0 if capped else sigma)
        blank = (None, None)
        (mm, sigma_mm), (deg, sigma_deg) = (blank, known) if result.in_degrees else (known, blank)
        house_rules = deciding_house_rules(table, result, others)
        because = (*result.because, *explain_odd_sizes(table, result, house_rules))
        return Verdict(
            kind=self.query.kind,  # type: ignore[attr-defined]
            edition=self.edition.id,
            book=table.state.book_stamp,
            status=result.status,
            margin_mm=mm,
            margin_deg=deg,
            sigma_mm=sigma_mm,
            sigma_deg=sigma_deg,
            capped=capped,
            members=members,
            value=result.value,
            measured=_measured_lengths(result, uncertainty),
            witness=result.witness,
            blockers=result.blockers,
            because=self._cite_book(add_margin_in_words(because, rule_margin, members, in_degrees=result.in_degrees)),
            house_rules=house_rules,
            flips_if=describe_flips(table, result, switches),
            outcomes=list_outcomes(cells),
            needs=required_facts(result, members),
            unlock=result.unlock,
            state_id=table.state.state_id,
            query=query_fields(self.query),
            **decided,
        )

    def _cite_book(self, because: tuple[Reason, ...]) -> tuple[Reason, ...]:
        """The reasons, each with the place where this book has it."""
        cite = self.edition.cite
        return because if cite is None else tuple(dict.fromkeys(map(cite, because)))

    def _evaluate_other_readings(self, table: ExactTable, result: RuleResult) -> Others:
        """What would be ruled under the other readings of the house rules in doubt."""
        odd = (SIZE_HOUSE_RULE,) if table.odd_sizes else ()
        keys = dict.fromkeys((*uncertain_house_rules(result), *odd))
        in_full = frozenset(keys if result.status != "decided" else result.outcome_house_rules)
        return tuple(evaluate_readings(self._rule, table, keys, in_full=in_full))

    def _find_flips(
        self, result: RuleResult, others: Others, uncertainty: Uncertainty | None, answer: Answer
    ) -> tuple[Flip, ...]:
        """The other readings under which the answer would be another."""
        if not self.tells_flips:
            return ()
        unlike = (
            others
            if answer is Answer.TOO_CLOSE
            else [other for other in others if not is_decided_alike(other[3], result)]
        )
        asked = ((key, reading, self._answer_under(table, uncertainty, other)) for key, reading, table, other in unlike)
        return tuple(
            Flip(house_rule=key, reading=reading, answer=other)
            for key, reading, other in asked
            if other is not None and other is not answer
        )

    def _answer_under(self, table: ExactTable, uncertainty: Uncertainty | None, result: RuleResult) -> Answer | None:
        if result.status != "decided":
            return None
        certain = uncertainty is None or abs(result.decisive_mm) > FAR_SIGMAS * max(
            uncertainty.spread_mm, LEAST_SIGMA_MM
        )
        uncertainty = None if certain else uncertainty_of_result(self._rule, table, result, answer_only=True)
        return decide(probability_of(result, uncertainty), uncertainty, result)

    def _judge_hypotheses(self, table: ExactTable, id_: str) -> Verdict:
        """The answer for all the ways it may look together; of one that may look any other way too, for all those."""
        ways = facing_hypotheses(table, id_)
        tables = [with_hypothesis(table, hypothesis) for hypothesis in ways]
        if (surely := self._judge_equivalent(ways, tables)) is not None:
            return surely
        outcomes = [
            HypothesisVerdict(hypothesis, self.verdict(turned)) for hypothesis, turned in zip(ways, tables, strict=True)
        ]
        together = combine_over_facings(table, outcomes)
        if together.answer is not Answer.TOO_CLOSE or len({outcome.verdict.answer for outcome in outcomes}) > 1:
            return together
        is_one_of_them = sum(hypothesis.probability for hypothesis in ways) > 1 - 1e-9
        everywhere = together if is_one_of_them else self._judge_all_round(table, id_)
        return everywhere if everywhere.answer is outcomes[0].verdict.answer else together

    def _judge_equivalent(self, ways: Sequence[FacingHypothesis], tables: Sequence[ExactTable]) -> Verdict | None:
        """The answer for all these ways where all are surely answered alike; None where that takes asking each."""
        alike = self._equivalent_facings(tables, among=likely_indices(ways))
        nearest = alike.nearest()
        if nearest is None or nearest.members:
            return None
        return combine_equal_answers(
            nearest, [(hypothesis.probability, alike.probability(k)) for k, hypothesis in enumerate(ways)]
        )

    def _equivalent_facings(
        self, tables: Sequence[ExactTable], *, among: Sequence[int] | None = None
    ) -> EquivalentFacings:
        def spread_mm(table: ExactTable) -> float:
            _, uncertainty = self._results.get(_facings_key(table), (None, None))
            return 0.0 if uncertainty is None else uncertainty.spread_mm

        asked = range(len(tables)) if among is None else among
        return EquivalentFacings(tables, self._rule, self.verdict, self._answer_only.verdict, spread_mm, asked)

    def _judge_all_round(self, table: ExactTable, id_: str) -> Verdict:
        """The answer that holds whichever way it looks, else too close with the advice to set the facing."""
        tables = [table.with_facing(id_, facing) for facing in facings_to_try(table, self.query, id_)]
        alike = self._equivalent_facings(tables)
        if (nearest := alike.nearest()) is not None:
            return nearest
        by_facing: dict[int, Verdict] = {}
        for k in alike.order():
            by_facing[k] = alike.verdicts[k] if k in alike.verdicts else self._answer_only.verdict(tables[k])
            if by_facing[k].status == "unknown":
                more = (f"facing_deg of {id_}",) if alike.is_decided_somewhere() else ()
                return by_facing[k].model_copy(update={"needs": (*by_facing[k].needs, *more)})
            if (
                all(v.status == "decided" for v in by_facing.values())
                and len({v.answer for v in by_facing.values()}) > 1
            ):
                break  # the answer depends on it: no further way can change that
        least = min(by_facing, key=lambda k: abs(by_facing[k].margin_mm or 0.0))
        first, verdicts = by_facing[least], by_facing.values()
        if first.status == "measured" and any(_findings(v) != _findings(first) for v in verdicts):
            return self._ask_for_facings(table, (id_,), first.because)
        if first.status != "decided" or len({v.answer for v in verdicts}) == 1:
            return self.verdict(tables[least]) if self.tells_flips else first
        best = max(verdicts, key=lambda v: -CAPPED_MM if v.margin_mm is None else v.margin_mm)
        return too_close_verdict(
            best,
            needs=(f"facing_deg of {id_}",),
            advice=f"Nobody has said which way {id_} faces, and the answer depends on it: set its facing.",
        )

    def _ask_for_facings(self, table: ExactTable, ids: tuple[str, ...], because: tuple[Reason, ...] = ()) -> Verdict:
        """What can be said where an answer depends on facings that nobody has told."""
        named = ", ".join(ids)
        return Verdict(
            kind=self.query.kind,  # type: ignore[attr-defined]
            edition=self.edition.id,
            book=table.state.book_stamp,
            status="unknown",
            because=because,
            needs=tuple(f"facing_deg of {id_}" for id_ in ids),
            advice=f"Nobody has said which way {named} faces, and it matters here: set its facing.",
            state_id=table.state.state_id,
            query=query_fields(self.query),
        )


def _facings_key(table: ExactTable) -> _Facings:
    return frozenset(table.facings_rad.items())


def _findings(verdict: Verdict) -> tuple[object, ...]:
    return verdict.value, verdict.members


def _measured_lengths(result: RuleResult, uncertainty: Uncertainty | None) -> tuple[MeasuredLength, ...]:
    sigmas = uncertainty.lengths_mm if uncertainty is not None else {}
    return tuple(
        MeasuredLength(name=name, value_mm=value, sigma_mm=sigmas.get(name, 0.0))
        for name, value in result.lengths_mm.items()
    )
