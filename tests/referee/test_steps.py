"""A long answer is found in steps, and what is done between them changes no answer."""

from models.queries import Los
from models.verdict import Verdict
from referee import ask
from tests.strategies import mini, state_of

SIGHT = Los(viewer="a", target="c")
DOUBTED = {"at_mm": 0.5, "facing_deg": 1.0}


def test_others_may_be_asked_between_the_steps_of_an_answer() -> None:
    state = state_of([mini(id_, x, 600, sigma=DOUBTED) for id_, x in (("a", 300), ("b", 400), ("c", 500))])
    others: list[Verdict] = []

    def ask_thrice() -> None:
        if len(others) < 3:
            others.append(ask(state, SIGHT))

    told = ask(state, SIGHT, between=ask_thrice)

    assert len(others) == 3
    assert all(one == told for one in (*others, ask(state, SIGHT)))
