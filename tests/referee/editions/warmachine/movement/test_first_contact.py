from typing import Any

import pytest

from tests.referee.tables import asked, mini, table


def test_contacts_are_told_in_order() -> None:
    state = table(mini("m", 300, 600), mini("far", 500, 600), mini("near", 400, 620))
    verdict = asked(state, "first-contact", mover="m", heading_deg=0)
    contacts: Any = verdict.value["contacts"]

    assert [one["id"] for one in contacts] == ["near", "far"]
    assert contacts[1]["after_mm"] == 170
    assert contacts[0]["after_mm"] == pytest.approx(100 - (30**2 - 20**2) ** 0.5)


def test_grazing_is_contact_unless_the_table_says_otherwise() -> None:
    def brushed(**house: str) -> Any:
        state = table(mini("m", 300, 600), mini("b", 400, 630), house_rules=house)
        return asked(state, "first-contact", mover="m", heading_deg=0).value["contacts"]

    assert [one["id"] for one in brushed()] == ["b"]
    assert brushed(graze="passes") == []
