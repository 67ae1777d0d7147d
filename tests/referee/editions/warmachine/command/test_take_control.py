from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4
CASTER = {"side": "red", "type": "warcaster", "profile": {"control_stat": 6}}
WARLOCK = {"side": "red", "type": "warlock", "profile": {"control_stat": 6}}


def at(gap_in: float) -> float:
    """Where a 40 mm base stands whose edge is so far from the edge of the caster's 30 mm base at x = 200."""
    return 200 + 15 + 20 + gap_in * INCH


def jack(id_: str = "j", gap_in: float = 5, **more: Any) -> dict[str, Any]:
    return mini(id_, at(gap_in), 400, mm=40, **({"side": "red", "type": "warjack", "controller": "c"} | more))


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def taking(target: dict[str, Any], caster: dict[str, Any] = CASTER, *more: dict[str, Any], **state: Any) -> Verdict:
    found = table(mini("c", 200, 400, **caster), target, *more, **state)
    return asked(found, "take-control", caster="c", target=target["id"])


def test_an_inert_warjack_is_taken_base_to_base() -> None:
    assert taking(jack(gap_in=0, status=["inert"], controller=None)).answer == "yes"
    assert taking(jack(gap_in=1, status=["inert"], controller=None)).margin_mm == 0.5 - INCH


def test_what_has_a_controller_is_not_free() -> None:
    assert clauses(taking(jack(gap_in=0, controller="other")))["free"] == "no"


def test_an_enemys_warjack_is_not_taken() -> None:
    assert clauses(taking(jack(gap_in=0, status=["autonomous"], controller=None, side="blue")))["friend"] == "no"


def test_a_marshal_with_a_warjack_takes_no_other_but_may_reactivate() -> None:
    marshal = {"side": "red", "abilities": ["jack-marshal"]}
    own = jack("own", 8)

    assert taking(jack(gap_in=0, status=["autonomous"], controller=None), marshal, own).answer == "no"
    assert taking(jack(gap_in=0, status=["autonomous"], controller=None), marshal).answer == "yes"
    assert taking(jack(gap_in=0, status=["inert"], controller=None), marshal, own).answer == "yes"


def test_a_told_contact_decides() -> None:
    near = jack(gap_in=0.1, status=["wild"], controller=None, type="warbeast", sigma=1.0)
    verdict = taking(near, WARLOCK, contacts=[{"a": "c", "b": "j", "probability": 0.99}])

    assert (verdict.answer, verdict.probability) == ("yes", 0.99)
