"""Where the three books of round bases part: random tables, the same questions, counted by question and by reason.

    python -m benchmarks.parting [TABLES] [WORKERS] > docs/parting.md

Every table is asked the same questions under each book, exactly and with free measuring. Where two answers differ, what
the books declare is exchanged piece by piece: a reading, a term, the way cards are read, the rule itself. The piece
with which the one book answers as the other is the reason of that disagreement; `benchmarks.parting_rules` says where
either book has it. One that no piece explains is a mistake, and is listed with the table it was found on.
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

from benchmarks.parting_rules import ROWS, row_of
from models.house_rules import HOUSE_RULES
from models.queries import Asked
from models.reading import read_query
from models.state import TableState
from models.words import EditionId
from referee import EDITIONS
from referee.candidates import word
from referee.edition import Edition
from referee.ruling import Ruling
from referee.situation import Situation

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


def table(seed: int) -> TableState:
    """Two who matter, near each other on every other table, two to six others, and up to three pieces of ground."""
    r = random.Random(f"parting {seed}")
    minis = [_mini(r, "a", "red", (300, 300))]
    there = ((330, 420), (260, 340)) if seed % 2 else ((350, 620), (200, 500))
    minis.append(_standing(r, minis, "b", "blue", *there))
    for k in range(r.randint(2, 6)):
        minis.append(_standing(r, minis, f"m{k}", r.choice(("red", "blue")), (200, 650), (150, 500)))
    ground = [_piece(r, k) for k in range(r.randint(0, 3))]
    raw = {"version": 1, "edition": BOOKS[0], "table": {"width_mm": 1219.2, "depth_mm": 1219.2}}
    return TableState.model_validate(raw | {"miniatures": minis, "terrain": ground})


Span = tuple[float, float]


def _standing(r: random.Random, others: list[dict[str, Any]], id_: str, side: str, x: Span, y: Span) -> dict[str, Any]:
    """One more that stands clear of the others."""
    while True:
        one = _mini(r, id_, side, (r.uniform(*x), r.uniform(*y)))
        if all(math.dist(one["at_mm"], o["at_mm"]) >= _radius(one) + _radius(o) for o in others):
            return one


def _radius(one: dict[str, Any]) -> float:
    return float(one["base"]["diameter_mm"]) / 2


def _mini(r: random.Random, id_: str, side: str, at: tuple[float, float]) -> dict[str, Any]:
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


def _piece(r: random.Random, k: int) -> dict[str, Any]:
    kind, height = r.choice(_GROUND)
    x, y, w, h = r.uniform(250, 550), r.uniform(180, 450), r.uniform(10, 120), r.uniform(10, 120)
    return {
        "id": f"t{k}",
        "kind": kind,
        "height_mm": height,
        "polygon_mm": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]],
    }


@dataclass(frozen=True)
class Trial(Situation):
    """A table under a book some of whose declarations are another's; `seen` takes down which of them were read."""

    tried: Edition | None = None
    seen: set[str] = field(default_factory=set)

    @property
    def book(self) -> Edition:
        """The rulebook that is asked."""
        return EDITIONS[self.edition] if self.tried is None else self.tried

    def reading(self, key: str) -> str:
        """The reading in force, taken down."""
        self.seen.add(key)
        return super().reading(key)

    def ruled(self, query: Asked) -> Ruling:
        """What the rulebook finds on another question, taken down."""
        self.seen.add(_rule_name(type(query)))
        return super().ruled(query)


class _Read:
    """The terms of a book, taking down those that are read."""

    def __init__(self, terms: Any, seen: set[str]) -> None:
        self._terms, self._seen = terms, seen

    def __getattr__(self, name: str) -> Any:
        self._seen.add(name)
        return getattr(self._terms, name)


def answered(state: TableState, book: Edition, asked: Asked) -> tuple[tuple[str, str | None], set[str]]:
    """What a book finds on the exact table, and which of its declarations it read."""
    fresh = state.in_edition(book.id)  # what is remembered hangs on the state, and not on what was exchanged
    seen = {_rule_name(type(asked)), "cards"}
    watched = replace(book, terms=_Read(book.terms, seen))
    return _found(Trial(fresh, book.id, tried=watched, seen=seen), asked), seen


def _found(table: Situation, asked: Asked) -> tuple[str, str | None]:
    """What is found on the exact table, in a word."""
    ruling = table.book.rules[type(asked)](table, asked)
    return ruling.status, word(ruling)


def exchanges(one: Edition, other: Edition, seen: set[str]) -> Iterator[tuple[str, Edition]]:
    """The one book with a single declaration of the other, of those that were read: its name, and what comes of it."""
    read = {key: (_read(one, key), _read(other, key)) for key in HOUSE_RULES}
    both = {key: theirs for key, (mine, theirs) in read.items() if mine is None and theirs is not None}
    one = replace(
        one, settled={**both, **one.settled}
    )  # what is exchanged may ask for a reading that only the other has
    for key, (mine, theirs) in read.items():
        if key in seen and theirs is not None and mine is not None and mine != theirs:
            yield key, replace(one, settled={**one.settled, key: theirs})
    terms: Any = one.terms
    for name in (f.name for f in fields(terms)):
        if name in seen and getattr(terms, name) is not getattr(other.terms, name):
            yield name, replace(one, terms=replace(terms, **{name: getattr(other.terms, name)}))
    if one.read_card is not other.read_card:
        yield "cards", replace(one, read_card=other.read_card)
    for cls, rule_ in one.rules.items():
        if _rule_name(cls) in seen and cls in other.rules and rule_ is not other.rules[cls]:
            yield _rule_name(cls), replace(one, rules={**one.rules, cls: other.rules[cls]})


def _read(book: Edition, key: str) -> str | None:
    """How a book reads a doubt; None where it knows none such."""
    return book.settled.get(key) or HOUSE_RULES[key].defaults.get(book.id)


def _rule_name(cls: type[Asked]) -> str:
    return f"rule of {cls.model_fields['kind'].default}"


def reasons(state: TableState, one: Edition, other: Edition, asked: Asked) -> tuple[str, ...]:
    """Every declaration that alone makes the one answer as the other, else two that do it together."""
    pairs = ((one, other), (other, one))
    for mine, theirs in pairs:
        wanted, seen = answered(state, theirs, asked)[0], answered(state, mine, asked)[1]
        alone = [name for name, book in exchanges(mine, theirs, seen) if _says(state, book, asked)[0] == wanted]
        if alone:
            return tuple(alone)
    return next((found for mine, theirs in pairs if (found := _together(state, mine, theirs, asked))), ())


def _together(state: TableState, one: Edition, other: Edition, asked: Asked) -> tuple[str, ...]:
    """Two declarations that do it together, where none does alone."""
    wanted, seen = answered(state, other, asked)[0], answered(state, one, asked)[1]
    for name, book in exchanges(one, other, seen):
        for second, both in exchanges(book, other, _says(state, book, asked)[1]):
            if _says(state, both, asked)[0] == wanted:
                return (" and ".join(sorted((name, second))),)
    return ()


def _says(state: TableState, book: Edition, asked: Asked) -> tuple[object, set[str]]:
    """What such a mixed book finds; nothing where the pieces do not fit together."""
    try:
        return answered(state, book, asked)
    except (KeyError, TypeError, AttributeError):
        return None, set()


def questions(state: TableState) -> list[dict[str, Any]]:
    """What is asked of a table: charges go straight at their target, for a best way is long to find; b walks off."""
    (ax, ay), (bx, by) = (m.at_mm for m in state.miniatures[:2])
    straight: dict[str, Any] = {"heading_deg": math.degrees(math.atan2(by - ay, bx - ax))}
    away: dict[str, Any] = {"path_mm": [(bx, by), (bx + 120, by)]}
    more = {"charge": straight, "free-strike": away}
    return [query | more.get(query["kind"], {}) for query in QUESTIONS]


def parted(seed: int) -> list[tuple[str, str, str, str]]:
    """Every disagreement of one table: the question, both books, and the declaration that tells."""
    state = table(seed).with_house_rules(measure_policy="allow")
    states = {book: state.in_edition(book) for book in BOOKS}
    found: list[tuple[str, str, str, str]] = []
    for query in questions(state):
        asked = read_query(query)
        said = {book: _found(Situation(states[book], book), asked) for book in BOOKS}
        for one, other in combinations(BOOKS, 2):
            if said[one] != said[other]:
                why = reasons(state, EDITIONS[one], EDITIONS[other], asked)
                kind = " ".join(str(query[key]) for key in ("kind", "attack", "step") if key in query)
                found.append((kind, one, other, _told(why) or f"unexplained on table {seed}"))
    return found


def _told(why: tuple[str, ...]) -> str:
    """The reason that a row of the rules explains, the first where several do."""
    return next((name for name in why if row_of(name)), why[0] if why else "")


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else None
    counted: Counter[tuple[str, str, str, str]] = Counter()
    with ProcessPoolExecutor(workers) as pool:
        for found in pool.map(parted, range(tables), chunksize=20):
            counted.update(found)
    print("\n".join(_page(tables, counted)))


def _page(tables: int, counted: Counter[tuple[str, str, str, str]]) -> Iterator[str]:
    asked = tables * len(QUESTIONS)
    yield "# Where the three books of round bases part\n"
    yield "<!-- Written by `python -m benchmarks.parting`; a test holds that every reason on it is explained. -->\n"
    yield f"{tables:,} random tables, {len(QUESTIONS)} questions each, asked under all three books: of {asked:,}"
    yield f"questions {counted.total():,} pairs of answers part. The reason is the one declaration by whose exchange a"
    yield "book answers as the other: a reading, a term, how cards are read, or the rule itself; or two together.\n"
    yield "| question | between | reason | times |\n|---|---|---|---|"
    for (kind, one, other, why), times in sorted(counted.items(), key=lambda c: (c[0][:3], -c[1], c[0][3])):
        yield f"| `{kind}` | {_short(one)} / {_short(other)} | `{why}` | {times} |"
    yield "\n## What the reasons are\n\n| reason | Prime | HORDES Mk II | first edition |\n|---|---|---|---|"
    used = {part for *_, why in counted for part in why.split(" and ")}
    for name in sorted(used):
        row = ROWS.get(row_of(name) or "", ("**not explained**", "", ""))
        yield f"| `{name}` | {' | '.join(row)} |"


def _short(book: str) -> str:
    return {"warmachine-prime": "Prime", "hordes-mk2": "Mk II", "warmachine-mk1": "first"}[book]


if __name__ == "__main__":
    main()
