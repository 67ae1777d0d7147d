"""Terms: anything may be measured."""

from tests.referee.tables import asked, mini, table


def test_in_prime_anybody_measures_anything_at_any_time() -> None:
    state = table(mini("a", 300, 300), mini("b", 400, 300))
    verdict = asked(state, "may-measure", asked_by="blue", query={"kind": "distance", "a": "a", "b": "b"})

    assert (verdict.answer, verdict.value["licence"], verdict.value["disclosed"]) == ("yes", "free", "figures")
    assert verdict.value["tell"] == ["red", "blue"]
