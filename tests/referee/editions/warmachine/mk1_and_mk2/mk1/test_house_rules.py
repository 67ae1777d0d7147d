"""The doubts of the first edition that nothing else shows: other readings, other verdicts, and the verdict says so."""

from typing import Any

from models.state import TableState
from tests.referee.scenarios.first.field import field
from tests.referee.tables import asked, box, mini


def met(*others: dict[str, Any], **more: Any) -> TableState:
    """a of 30 with 2 in of reach looks along +x at t, 20 off its rim."""
    a = mini("a", 300, 300, side="red", reach=2)
    return field(a, mini("t", 350, 300, 180, side="blue", reach=0.5), *others, **more)


def engaged(state: TableState, **house_rules: str) -> Any:
    return asked(state.with_house_rules(**house_rules), "engaged", attacker="a", target="t")


def shut() -> TableState:
    """A wall higher than both between them."""
    return met(terrain=[box("w", "obstruction", 322, 100, 328, 500, height_mm=90)])


def screened() -> TableState:
    """One of 50 stands between a and t, whom a reaches past it."""
    a = mini("a", 300, 300, side="red", reach=4)
    return field(a, mini("b", 350, 300, side="red", mm=50), mini("t", 400, 300, 180, side="blue", reach=0.5))


def test_terrain_that_shuts_it_off_keeps_it_from_engaging() -> None:
    assert (engaged(shut()).answer, engaged(shut(), engage_line="nothing").answer) == ("no", "yes")
    assert "engage-line" in engaged(shut()).house_rules


def test_a_model_between_keeps_nobody_from_engaging_unless_sight_is_wanted() -> None:
    assert (engaged(screened()).answer, engaged(screened(), engage_line="sight").answer) == ("yes", "no")
    assert "engage-line" in engaged(screened()).house_rules


def test_where_nothing_stands_between_no_reading_has_to_be_told() -> None:
    assert "engage-line" not in engaged(met()).house_rules


def there_and_back(**house_rules: str) -> Any:
    """Out of the reach of e, into it again, and out of it again."""
    e = mini("e", 300, 300, 0, side="blue", reach=0.5, front_arc_deg=360)
    path = [[340, 300], [400, 300], [340, 310], [400, 320]]
    state = field(mini("m", 400, 320, side="red", before={"at_mm": [340, 300]}), e).with_house_rules(**house_rules)
    return asked(state, "free-strike", mover="m", path_mm=path)


def test_each_leaving_of_a_reach_draws_a_strike() -> None:
    once, each = there_and_back(free_strike_again="once"), there_and_back()

    assert (each.value["by_id"]["e"]["strikes"], once.value["by_id"]["e"]["strikes"]) == (2, 1)
    assert "free-strike-again" in each.house_rules


def test_of_one_leaving_no_reading_has_to_be_told() -> None:
    e = mini("e", 300, 300, 0, side="blue", reach=0.5)
    verdict = asked(
        field(mini("m", 340, 300, side="red"), e), "free-strike", mover="m", path_mm=[[340, 300], [500, 300]]
    )

    assert "free-strike-again" not in verdict.house_rules
