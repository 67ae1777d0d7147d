"""Very many questions at once get the same bytes as one after the other."""

import itertools

from api.cli import ask
from models.queries import Distance, Los
from models.state import TableState

STATE = TableState.model_validate(
    {
        "version": 1,
        "edition": "warmachine-prime",
        "table": {"width_mm": 1200, "depth_mm": 900},
        "miniatures": [
            {
                "id": f"m{k}",
                "base": {"shape": "round", "diameter_mm": 30 + 10 * (k % 3)},
                "at_mm": [90 + 83 * k, 311 + 47 * (k % 4)],
                "facing_deg": 25 * k,
            }
            for k in range(9)
        ],
    }
)
QUERIES = [
    query
    for a, b in itertools.permutations([m.id for m in STATE.miniatures], 2)
    for query in (Los(viewer=a, target=b), Distance(a=a, b=b))
]


def test_workers_give_the_same_bytes_in_the_same_order() -> None:
    many = QUERIES * (1 + ask.WORTH_IT // len(QUERIES))

    assert list(ask.ask_in_parallel([STATE], many, workers=2)) == list(ask.ask_in_parallel([STATE], many, workers=1))


def test_every_question_is_answered_under_each_table_in_order() -> None:
    both = [STATE, STATE.in_edition("hordes-mk2")]
    one_by_one = [verdict for query in QUERIES[:4] for verdict in ask.ask_tables(query, both)]

    assert list(ask.ask_in_parallel(both, QUERIES[:4])) == one_by_one
