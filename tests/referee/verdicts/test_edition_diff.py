"""Rulebooks side by side: each verdict says where it is not what the first one says."""

from models.queries import QUERY
from models.state import TableState
from models.verdict import SideBySide
from referee import ask
from referee.verdicts.edition_diff import compare_verdicts
from tests.referee.tables import box, mini, table

PAIR = ("warmachine-prime", "hordes-mk2")


def both(state: TableState, **query: object) -> SideBySide:
    """What the second book says, marked against the first."""
    free = state.with_house_rules(measure_policy="allow")
    return compare_verdicts([ask(free.in_edition(one), QUERY.validate_python(query)) for one in PAIR])[1]


def wood(left: float) -> TableState:
    """a at 100 shoots at t of 30 at 400; a wood begins at `left`."""
    forest = box("w", "forest", left, 200, 500, 400)
    return table(mini("a", 100, 300), mini("t", 400, 300), terrain=[forest])


def test_what_both_say_is_not_marked() -> None:
    assert both(wood(450), kind="distance", a="a", b="t").parts == ()


def test_a_base_partly_in_a_wood_is_concealed_in_one_book_only() -> None:
    found = both(wood(400), kind="cover", attacker="a", target="t")

    assert found.answer == "yes"
    assert {"answer", "margin_mm", "value.kind", "value.bonus"} <= set(found.parts)


def test_a_base_wholly_in_a_wood_is_concealed_by_another_margin() -> None:
    found = both(wood(380), kind="cover", attacker="a", target="t")

    assert "answer" not in found.parts
    assert "margin_mm" in found.parts


def test_the_first_never_parts_from_itself() -> None:
    verdict = ask(wood(400), QUERY.validate_python({"kind": "los", "viewer": "a", "target": "t"}))

    assert compare_verdicts([verdict, verdict])[0].parts == ()


def test_a_question_one_book_refuses_to_measure_parts_by_its_status() -> None:
    books = [
        ask(wood(400).in_edition(one), QUERY.validate_python({"kind": "distance", "a": "a", "b": "t"})) for one in PAIR
    ]

    assert "status" in compare_verdicts(books)[1].parts
