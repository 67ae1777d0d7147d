"""Citations: what a book shares with another is cited from where it stands in this one."""

import pytest

from models.vocabulary import EditionId
from tests.referee.tables import asked, mini, table

PAIR = (mini("a", 300, 600, 0, side="red", reach=2), mini("b", 350, 600, 180, side="blue", reach=2))


@pytest.mark.parametrize(
    ("edition", "section"), [("hordes-mk2", "Being Pushed"), ("warmachine-mk1", "Push, Prime p. 44")]
)
def test_that_a_push_draws_no_free_strike_stands_with_the_push(edition: EditionId, section: str) -> None:
    state = table(*PAIR, edition=edition, house_rules={"measure-policy": "allow"})

    verdict = asked(state, "free-strike", mover="b", path_mm=[[350, 600], [500, 600]], cause="pushed")

    assert section in [reason.source.section for reason in verdict.because]


def test_a_fleeing_model_leaves_by_the_entry_on_leaving_the_playing_area() -> None:
    state = table(*PAIR, edition="warmachine-mk1", house_rules={"measure-policy": "allow"})

    verdict = asked(state, "table-edge", mover="a", path_mm=[[300, 600], [-40, 600]], cause="flee")

    assert "Leaving the Playing Area, Prime p. 34" in [reason.source.section for reason in verdict.because]


def test_a_crippled_movement_bars_a_charge_by_the_page_on_crippling_systems() -> None:
    state = table(PAIR[0] | {"status": ["crippled-movement"]}, PAIR[1])

    verdict = asked(state, "charge", attacker="a", target="b", speed_in=6)

    assert ("Crippling Systems", 57) in [(reason.source.section, reason.source.page) for reason in verdict.because]


@pytest.mark.parametrize("edition", ["hordes-mk2", "warmachine-mk1"])
def test_what_a_book_does_not_say_is_cited_from_where_it_is_borrowed(edition: EditionId) -> None:
    state = table(mini("c", 300, 600, mm=120), edition=edition, house_rules={"measure-policy": "allow"})

    verdict = asked(state, "placement", mover="c", to={"at_mm": [600, 600]}, manner="placed")

    (why,) = [reason.source for reason in verdict.because if reason.source.section == "Colossal Movement"]
    assert (why.book, why.page) == ("WARMACHINE: Prime Rules Digest (2016)", 67)
