"""Several conditions that must all hold, or of which one is enough."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from pydantic import JsonValue

from referee.candidates import is_met, word
from referee.form import opposed
from referee.ruling import Ruling
from referee.situation import Situation

Item = TypeVar("Item")
RIVAL_MM = 10.0  # what is this far from the one that decides cannot take its place by a measuring error
Clauses = tuple[tuple[str, Ruling], ...]
Conditions = tuple[tuple[str, Callable[[Situation], Ruling]], ...]


def all_of(clauses: Clauses) -> Ruling:
    """All of them hold: the least decides. One that surely fails outweighs one that cannot be told."""
    failed = [r for _, r in clauses if r.status == "decided" and not is_met(r)]
    unknown = [r for _, r in clauses if r.status == "unknown"]
    if unknown and not failed:
        return _joined(replace(unknown[0], needs=_merged(r.needs for r in unknown)), clauses)
    told = [r for _, r in clauses if r.status == "decided"]
    return _joined(_plain(min(told, key=lambda r: (r.decisive_mm, r.zero_is_met))), clauses)


def all_settled(table: Situation, what: Hashable, conditions: Conditions) -> Ruling:
    """`all_of` them; on a nudged table only those are asked anew that may decide.

    `what` names the question, so that what was found at rest is remembered.
    """

    def find(still: Situation) -> Clauses:
        return tuple((name, still.recalled((what, name), rule)) for name, rule in conditions)

    found = find(table.still) if table.placed_mm else table.settled((what, "conditions"), find)
    if not table.nudges:
        return all_of(found)
    least = min((r.decisive_mm for _, r in found if r.status == "decided"), default=0.0)
    rules = dict(conditions)
    far = least + 3 * RIVAL_MM
    return all_of(tuple((n, r if r.status == "decided" and r.decisive_mm > far else rules[n](table)) for n, r in found))


def any_of(rulings: tuple[Ruling, ...]) -> Ruling:
    """One is enough: the largest decides. One that surely holds outweighs one that cannot be told."""
    told = [r for r in rulings if r.status == "decided"]
    best = max(told, key=lambda r: (r.decisive_mm, r.zero_is_met), default=None)
    unknown = [r for r in rulings if r.status == "unknown"]
    if best is None or (unknown and not is_met(best)):
        return replace(unknown[0], needs=_merged(r.needs for r in unknown))
    rivals = [r for r in told if r.decisive_mm > best.decisive_mm - RIVAL_MM]
    return replace(
        best,
        touches=_merged(r.touches for r in rivals),
        faces=_merged(r.faces for r in rivals),
        readings=_merged(r.readings for r in rivals),
        doubtful=_merged(r.doubtful for r in rivals),
        conditions=tuple(told),
        joined_by="greatest",
        form=None,
    )


def negated(ruling: Ruling) -> Ruling:
    """The opposite condition; one that cannot be told stays so."""
    if ruling.status != "decided":
        return ruling
    return replace(
        ruling,
        margin_mm=-ruling.decisive_mm,
        slack_mm=None,
        zero_is_met=not ruling.zero_is_met,
        conditions=tuple(negated(one) for one in ruling.conditions),
        joined_by="greatest" if ruling.joined_by == "least" else "least",
        form=None if ruling.form is None else opposed(ruling.form),
    )


def listed(clauses: Clauses) -> list[JsonValue]:
    """Every condition with its answer and margin, as a verdict's `clauses`."""
    return [{"clause": name, "answer": word(r), "margin_mm": _capped(r.margin_mm)} for name, r in clauses]


def _capped(margin: float | None) -> float | None:
    return None if margin is None else max(-1000.0, min(1000.0, margin))


def _plain(ruling: Ruling) -> Ruling:
    """The same ruling with the margin that probability is taken of."""
    return replace(ruling, margin_mm=ruling.decisive_mm, slack_mm=None)


def _joined(least: Ruling, clauses: Clauses) -> Ruling:
    rulings = [r for _, r in clauses]
    rivals = [r for r in rulings if r is least or r.decisive_mm < least.decisive_mm + RIVAL_MM]
    return replace(
        least,
        value={"clauses": listed(clauses)},
        lengths_mm={},
        because=least.because,
        readings=_merged(r.readings for r in rulings),
        doubtful=_merged(r.doubtful for r in rulings),
        touches=_merged((least.touches, *(r.touches for r in rivals))),
        faces=_merged((least.faces, *(r.faces for r in rivals))),
        conditions=tuple(r for r in rulings if r.status == "decided"),
        joined_by="least",
        form=None,
    )


def _merged(lists: Iterable[tuple[Item, ...]]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(one for some in lists for one in some))


def listed_margins(clauses: Mapping[str, float], *, zero_is_met: bool = True) -> list[JsonValue]:
    """The conditions of a "may I", each with its own answer and margin, as a verdict lists them."""
    return [
        {"clause": name, "answer": "yes" if mm > 0 or (zero_is_met and mm == 0) else "no", "margin_mm": mm}
        for name, mm in clauses.items()
    ]
