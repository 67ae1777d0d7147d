"""Edition differences: random tables, the same questions of three books, counted by question and by reason.

    python -m benchmarks.rules.edition_differences [TABLES] [WORKERS] > docs/edition-differences.md

Every table is asked the same questions under each book, exactly and with free measuring. Where two answers differ, what
the books declare is exchanged piece by piece: a reading, a term, the way cards are read, the rule itself. The piece
with which the one book answers as the other is the reason of that disagreement; `edition_difference_reasons` beside
this says where either book has it. One that no piece explains is a mistake, and is listed with its table.
"""

import math
import random
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any

from benchmarks.rules.edition_difference_reasons import ROWS, row_of
from models.house_rules import HOUSE_RULES
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState
from models.vocabulary import EditionId
from referee import EDITIONS
from referee.rules.candidates import answer_word
from referee.rules.edition import Edition
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
QUESTIONS: list[dict[str, Any]] = [
    {"kind": "los", "viewer": "a", "target": "b"},
    {"kind": "intervening", "viewer": "a", "target": "b", "blocker": "m0"},
    {"kind": "in-front-arc", "viewer": "a", "target": "b"},
    {"kind": "melee-range", "attacker": "a", "target": "b"},
    {"kind": "engaged", "attacker": "a", "target": "b"},
    {"kind": "in-melee", "who": "b"},
    {"kind": "cover", "attacker": "a", "target": "b"},
    {"kind": "elevation-bonus", "attacker": "a", "target": "b"},
    {"kind": "back-strike", "attacker": "a", "target": "b"},
    {"kind": "target-legal", "attacker": "a", "target": "b", "attack": "ranged"},
    {"kind": "target-legal", "attacker": "a", "target": "b", "attack": "melee"},
    {"kind": "charge", "attacker": "a", "target": "b", "step": "outcome"},
    {"kind": "charge", "attacker": "a", "target": "b", "step": "declare"},
    {"kind": "slam", "attacker": "a", "target": "b"},
    {"kind": "power-attack", "attacker": "a", "target": "b", "attack": "head-butt"},
    {"kind": "free-strike", "mover": "b"},
    {"kind": "in-melee-penalty", "attacker": "a", "target": "b"},
    {"kind": "within", "a": "a", "b": "b", "range_in": 8},
    {"kind": "stealth", "attacker": "a", "target": "b"},
]
_GROUND = (("forest", 80), ("wall", 30), ("hill", 40), ("obstruction", 60), ("rubble", 10), ("linear-obstacle", 20))


def draw_table(seed: int) -> TableState:
    """Two who matter, near each other on every other table, two to six others, and up to three pieces of ground."""
    r = random.Random(f"parting {seed}")
    minis = [_draw_miniature(r, "a", "red", (300, 300))]
    there = ((330, 420), (260, 340)) if seed % 2 else ((350, 620), (200, 500))
    minis.append(_place_apart(r, minis, "b", "blue", *there))
    for k in range(r.randint(2, 6)):
        minis.append(_place_apart(r, minis, f"m{k}", r.choice(("red", "blue")), (200, 650), (150, 500)))
    ground = [_draw_terrain(r, k) for k in range(r.randint(0, 3))]
    raw = {"version": 1, "edition": BOOKS[0], "table": {"width_mm": 1219.2, "depth_mm": 1219.2}}
    return TableState.model_validate(raw | {"miniatures": minis, "terrain": ground})


Span = tuple[float, float]


def _place_apart(
    r: random.Random, others: list[dict[str, Any]], id_: str, side: str, x: Span, y: Span
) -> dict[str, Any]:
    """One more that stands clear of the others."""
    while True:
        one = _draw_miniature(r, id_, side, (r.uniform(*x), r.uniform(*y)))
        if all(math.dist(one["at_mm"], o["at_mm"]) >= _radius(one) + _radius(o) for o in others):
            return one


def _radius(one: dict[str, Any]) -> float:
    return float(one["base"]["diameter_mm"]) / 2


def _draw_miniature(r: random.Random, id_: str, side: str, at: tuple[float, float]) -> dict[str, Any]:
    card: dict[str, Any] = {
        "spd_in": 6,
        "melee": [{"name": "Blade", "reach_in": r.choice((0.5, 2))}],
        "ranged": [{"name": "Gun", "rng_in": 10}],
    }
    if r.random() < 0.15:
        card["abilities"] = ["stealth"]
    card |= {"spd_penalty_in": 1} if r.random() < 0.1 else {}
    status = ["knocked-down"] if id_ != "a" and r.random() < 0.15 else []
    kind = r.choice(("solo", "warjack", "warbeast"))
    return {
        "id": id_, "side": side, "type": kind, "base": {"shape": "round", "diameter_mm": r.choice((30, 40, 50))},
        "at_mm": at, "facing_deg": r.uniform(-60, 60) if id_ == "a" else r.uniform(0, 360), "profile": card,
        "status": status,
    }  # fmt: skip


def _draw_terrain(r: random.Random, k: int) -> dict[str, Any]:
    kind, height = r.choice(_GROUND)
    x, y, w, h = r.uniform(250, 550), r.uniform(180, 450), r.uniform(10, 120), r.uniform(10, 120)
    return {
        "id": f"t{k}",
        "kind": kind,
        "height_mm": height,
        "polygon_mm": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]],
    }


@dataclass(frozen=True)
class Trial(ExactTable):
    """A table under a book some of whose declarations are another's; `seen` takes down which of them were read."""

    seen: set[str] = field(default_factory=set)

    def reading(self, key: str) -> str:
        """The reading in force, taken down."""
        self.seen.add(key)
        return super().reading(key)

    def evaluate_query(self, query: BaseQuery) -> RuleResult:
        """What the rulebook finds on another question, taken down."""
        self.seen.add(_rule_name(type(query)))
        return super().evaluate_query(query)


class _RecordedTerms:
    """The terms of a book, taking down those that are read."""

    def __init__(self, terms: Any, seen: set[str]) -> None:
        self._terms, self._seen = terms, seen

    def __getattr__(self, name: str) -> Any:
        self._seen.add(name)
        return getattr(self._terms, name)


def answer_of(state: TableState, book: Edition, asked: BaseQuery) -> tuple[tuple[str, str | None], set[str]]:
    """What a book finds on the exact table, and which of its declarations it read."""
    fresh = state.in_edition(book.id)  # what is remembered hangs on the state, and not on what was exchanged
    seen = {_rule_name(type(asked)), "cards"}
    watched = replace(book, terms=_RecordedTerms(book.terms, seen))
    return _result_of(Trial(fresh, watched, seen=seen), asked), seen


def _result_of(table: ExactTable, asked: BaseQuery) -> tuple[str, str | None]:
    """What is found on the exact table, in a word."""
    result = table.edition.rules[type(asked)](table, asked)
    return result.status, answer_word(result)


def exchange_declarations(one: Edition, other: Edition, seen: set[str]) -> Iterator[tuple[str, Edition]]:
    """The one book with a single declaration of the other, of those that were read: its name, and what comes of it."""
    read = {key: (_reading_of(one, key), _reading_of(other, key)) for key in HOUSE_RULES}
    both = {key: theirs for key, (mine, theirs) in read.items() if mine is None and theirs is not None}
    one = replace(
        one, settled_readings={**both, **one.settled_readings}
    )  # what is exchanged may ask for a reading that only the other has
    for key, (mine, theirs) in read.items():
        if key in seen and theirs is not None and mine is not None and mine != theirs:
            yield key, replace(one, settled_readings={**one.settled_readings, key: theirs})
    terms: Any = one.terms
    for name in (f.name for f in fields(terms)):
        if name in seen and getattr(terms, name) is not getattr(other.terms, name):
            yield name, replace(one, terms=replace(terms, **{name: getattr(other.terms, name)}))
    if one.read_card is not other.read_card:
        yield "cards", replace(one, read_card=other.read_card)
    for cls, rule_ in one.rules.items():
        if _rule_name(cls) in seen and cls in other.rules and rule_ is not other.rules[cls]:
            yield _rule_name(cls), replace(one, rules={**one.rules, cls: other.rules[cls]})


def _reading_of(book: Edition, key: str) -> str | None:
    """How a book reads a doubt; None where it knows none such."""
    return book.settled_readings.get(key) or HOUSE_RULES[key].defaults.get(book.id)


def _rule_name(cls: type[BaseQuery]) -> str:
    return f"rule of {cls.model_fields['kind'].default}"


def reasons(state: TableState, one: Edition, other: Edition, asked: BaseQuery) -> tuple[str, ...]:
    """Every declaration that alone makes the one answer as the other, else two that do it together."""
    pairs = ((one, other), (other, one))
    for mine, theirs in pairs:
        wanted, seen = answer_of(state, theirs, asked)[0], answer_of(state, mine, asked)[1]
        alone = [
            name
            for name, book in exchange_declarations(mine, theirs, seen)
            if _answer_or_none(state, book, asked)[0] == wanted
        ]
        if alone:
            return tuple(alone)
    return next((found for mine, theirs in pairs if (found := _paired_reasons(state, mine, theirs, asked))), ())


def _paired_reasons(state: TableState, one: Edition, other: Edition, asked: BaseQuery) -> tuple[str, ...]:
    """Two declarations that do it together, where none does alone."""
    wanted, seen = answer_of(state, other, asked)[0], answer_of(state, one, asked)[1]
    for name, book in exchange_declarations(one, other, seen):
        for second, both in exchange_declarations(book, other, _answer_or_none(state, book, asked)[1]):
            if _answer_or_none(state, both, asked)[0] == wanted:
                return (" and ".join(sorted((name, second))),)
    return ()


def _answer_or_none(state: TableState, book: Edition, asked: BaseQuery) -> tuple[object, set[str]]:
    """What such a mixed book finds; nothing where the pieces do not fit together."""
    try:
        return answer_of(state, book, asked)
    except (KeyError, TypeError, AttributeError):
        return None, set()


def questions_about(state: TableState) -> list[dict[str, Any]]:
    """What is asked of a table: charges go straight at their target, for a best way is long to find; b walks off."""
    (ax, ay), (bx, by) = (m.at_mm for m in state.miniatures[:2])
    straight: dict[str, Any] = {"heading_deg": math.degrees(math.atan2(by - ay, bx - ax))}
    away: dict[str, Any] = {"path_mm": [(bx, by), (bx + 120, by)]}
    more = {"charge": straight, "free-strike": away}
    return [query | more.get(query["kind"], {}) for query in QUESTIONS]


def find_differences(seed: int) -> list[tuple[str, str, str, str]]:
    """Every disagreement of one table: the question, both books, and the declaration that tells."""
    state = draw_table(seed).with_house_rules(measure_policy="allow")
    states = {book: state.in_edition(book) for book in BOOKS}
    found: list[tuple[str, str, str, str]] = []
    for query in questions_about(state):
        asked = parse_query(query)
        said = {book: _result_of(ExactTable(states[book], EDITIONS[book]), asked) for book in BOOKS}
        for one, other in combinations(BOOKS, 2):
            if said[one] != said[other]:
                why = reasons(state, EDITIONS[one], EDITIONS[other], asked)
                kind = " ".join(str(query[key]) for key in ("kind", "attack", "step") if key in query)
                found.append((kind, one, other, _explained_reason(why) or f"unexplained on table {seed}"))
    return found


def _explained_reason(why: tuple[str, ...]) -> str:
    """The reason that a row of the rules explains, the first where several do."""
    return next((name for name in why if row_of(name)), why[0] if why else "")


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else None
    counted: Counter[tuple[str, str, str, str]] = Counter()
    with ProcessPoolExecutor(workers) as pool:
        for found in pool.map(find_differences, range(tables), chunksize=20):
            counted.update(found)
    print("\n".join(_write_page(tables, counted)))


def _write_page(tables: int, counted: Counter[tuple[str, str, str, str]]) -> Iterator[str]:
    asked = tables * len(QUESTIONS)
    yield "# Edition differences: the three books of round bases\n"
    yield "<!-- Written by `python -m benchmarks.rules.edition_differences`; a test holds its reasons. -->\n"
    yield f"{tables:,} random tables, {len(QUESTIONS)} questions each, asked under all three books: of {asked:,}"
    yield f"questions {counted.total():,} pairs of answers differ. The reason is the one declaration by whose exchange"
    yield "a book answers as the other: a reading, a term, how cards are read, or the rule itself; or two together.\n"
    yield "| question | between | reason | times |\n|---|---|---|---|"
    for (kind, one, other, why), times in sorted(counted.items(), key=lambda c: (c[0][:3], -c[1], c[0][3])):
        yield f"| `{kind}` | {_short_name(one)} / {_short_name(other)} | `{why}` | {times} |"
    yield "\n## What the reasons are\n\n| reason | Prime | HORDES Mk II | first edition |\n|---|---|---|---|"
    used = {part for *_, why in counted for part in why.split(" and ")}
    for name in sorted(used):
        row = ROWS.get(row_of(name) or "", ("**not explained**", "", ""))
        yield f"| `{name}` | {' | '.join(row)} |"


def _short_name(book: str) -> str:
    return {"warmachine-prime": "Prime", "hordes-mk2": "Mk II", "warmachine-mk1": "first"}[book]


if __name__ == "__main__":
    main()
