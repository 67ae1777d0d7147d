"""A small world counted in full: 25 equal bases on a 5 x 5 lattice, all looking one of eight ways."""

from collections import Counter
from collections.abc import Iterator

from models.state import TableState
from models.vocabulary import EditionId
from tests.strategies import mini, state_of

SIDE, STEP_MM, BASE_MM, FIRST_MM = 5, 60.0, 30.0, 300.0
# The two of the other books are turned by right angles into all eight.
FACINGS: dict[EditionId, tuple[int, ...]] = {
    "warmachine-prime": tuple(45 * k for k in range(8)), "hordes-mk2": (0, 45), "warmachine-mk1": (0, 45),
}  # fmt: skip
QUERIES: dict[str, dict[str, object]] = {
    "within 3 in": {"kind": "within", "range_in": 3},
    "completely-within 5 in": {"kind": "completely-within", "range_in": 5},
    "b2b": {"kind": "b2b"},
    "in-front-arc": {"kind": "in-front-arc"},
    "in-back-arc": {"kind": "in-back-arc"},
    "range 6 in": {"kind": "range", "range_in": 6},
    "melee-range 2 in": {"kind": "melee-range", "reach_in": 2},
    "directly-facing": {"kind": "directly-facing"},
    "damage-arc": {"kind": "damage-arc"},
    "los": {"kind": "los"},
}
FIELDS = {
    "within": ("a", "b"), "completely-within": ("a", "b"), "b2b": ("a", "b"), "in-front-arc": ("viewer", "target"),
    "in-back-arc": ("viewer", "target"), "range": ("attacker", "target"), "melee-range": ("attacker", "target"),
    "los": ("viewer", "target"), "directly-facing": ("viewer", "target"), "damage-arc": ("attacker", "target"),
}  # fmt: skip


def world(facing: int, book: EditionId) -> TableState:
    """The lattice under this book, on which everything may be measured."""
    places = [(x, y) for x in range(SIDE) for y in range(SIDE)]
    minis = [mini(f"{x}{y}", FIRST_MM + x * STEP_MM, FIRST_MM + y * STEP_MM, BASE_MM, facing) for x, y in places]
    return state_of(minis).in_edition(book).with_house_rules(measure_policy="allow")


def asked(name: str) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Every ordered pair with its question."""
    ids = [f"{x}{y}" for x in range(SIDE) for y in range(SIDE)]
    query = QUERIES[name]
    first, second = FIELDS[str(query["kind"])]
    for a in ids:
        for b in ids:
            if a != b:
                yield a, b, {**query, first: a, second: b}


def told(tallies: dict[str, Counter[str]]) -> str:
    """The counts as the text file holds them."""
    return "".join(f"{name}: yes {tally['yes']}, no {tally['no']}\n" for name, tally in tallies.items())
