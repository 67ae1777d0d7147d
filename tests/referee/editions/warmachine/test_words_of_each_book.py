"""Words that all books of the family know: each book answers them, by its own sections."""

from typing import Any

import pytest

from models.state import TableState
from models.verdict import Answer, Verdict
from models.vocabulary import EditionId
from referee import EDITIONS
from tests.referee.tables import asked, box, mini, table

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
OLDER: tuple[EditionId, ...] = ("hordes-mk2", "warmachine-mk1")


def _table(book: EditionId, *minis: dict[str, Any], **more: Any) -> TableState:
    rules = {} if book == "warmachine-prime" else {"measure-policy": "allow"}
    return table(*minis, edition=book, house_rules=rules, **more)


def _is_cited(verdict: Verdict, book: EditionId) -> bool:
    """From the book itself; what the first edition does not say it borrows from HORDES."""
    own = {EDITIONS[book].book, *([EDITIONS["hordes-mk2"].book] if book == "warmachine-mk1" else [])}
    return bool(verdict.because) and all(reason.source.book in own for reason in verdict.because)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("in_turn_of", "gives_up", "answer"),
    [("blue", "movement", Answer.YES), ("red", "movement", Answer.NO), (None, "action", Answer.YES)],
)
def test_the_knocked_down_rise_unless_they_fell_in_their_own_turn(
    book: EditionId, in_turn_of: str | None, gives_up: str, answer: Answer
) -> None:
    fallen = mini("a", 300, 300, side="red", status=["knocked-down"], this_turn={"knocked_down_in": in_turn_of})

    verdict = asked(_table(book, fallen), "stand-up", who="a", gives_up=gives_up)

    assert verdict.answer is answer
    assert _is_cited(verdict, book)
    barred = {"movement": {"slam"} if book != "warmachine-prime" else set(), "action": {"run", "charge"}}
    told = verdict.value["then_barred"]
    assert isinstance(told, list)
    assert barred[gives_up] <= set(told)


@pytest.mark.parametrize("book", OLDER)
@pytest.mark.parametrize(("gap_in", "answer"), [(7.9, Answer.YES), (8.0, Answer.YES), (8.1, Answer.NO)])
def test_a_lone_fleer_rallies_near_a_commander(book: EditionId, gap_in: float, answer: Answer) -> None:
    fleer = mini("a", 300, 300, side="red", status=["fleeing"], unit="u")
    mate = mini("b", 900, 900, side="red", unit="u")
    commander = mini("c", 330 + gap_in * 25.4, 300, side="red", abilities=["commander"], profile={"cmd_in": 8}) | {
        "type": "warlock" if book == "hordes-mk2" else "warcaster"
    }
    commander["profile"] = {"cmd_in": 8, "abilities": ["commander"]}
    units = [{"id": "u", "commander": "b", "spacing_in": 3}]

    verdict = asked(_table(book, fleer, mate, commander, units=units), "rally", who="a")

    assert verdict.answer is answer
    assert _is_cited(verdict, book)
    assert ("facing_deg" in verdict.value) == (book == "warmachine-mk1")


@pytest.mark.parametrize("book", OLDER)
def test_whoever_does_not_flee_does_not_rally(book: EditionId) -> None:
    assert asked(_table(book, mini("a", 300, 300)), "rally", who="a").answer is Answer.NO


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("x", "arc"), [(600, "front"), (100, "back")])
def test_a_point_lies_in_one_of_two_arcs(book: EditionId, x: float, arc: str) -> None:
    verdict = asked(_table(book, mini("a", 300, 300, 0)), "arc", viewer="a", target=[x, 310])

    assert verdict.value["arc"] == arc
    assert _is_cited(verdict, book)


@pytest.mark.parametrize("book", ["warmachine-prime", "hordes-mk2"])
def test_what_is_met_first_comes_first(book: EditionId) -> None:
    state = _table(book, mini("a", 300, 300, 0), mini("far", 500, 300), mini("near", 400, 310))

    verdict = asked(state, "first-contact", mover="a", heading_deg=0, distance_in=10)

    told = verdict.value["contacts"]
    assert isinstance(told, list)
    assert [one["id"] for one in told if isinstance(one, dict)] == ["near", "far"]
    assert _is_cited(verdict, book)


@pytest.mark.parametrize("book", BOOKS)
def test_the_nearest_is_told_first(book: EditionId) -> None:
    state = _table(book, mini("a", 300, 300), mini("near", 360, 300), mini("far", 600, 300))

    verdict = asked(state, "nearest", a="a")

    assert [member.id for member in verdict.members][:2] == ["near", "far"]
    assert _is_cited(verdict, book)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("y", "answer"), [(600.0, Answer.YES), (100.0, Answer.NO)])
def test_toward_somebody_the_distance_shrinks(book: EditionId, y: float, answer: Answer) -> None:
    state = _table(book, mini("a", 300, 300, profile={"spd_in": 6}), mini("b", 300, 900))

    verdict = asked(
        state, "toward-away", mover="a", path_mm=[[300, 300], [300, y]], restrictions=[{"way": "toward", "of": "b"}]
    )

    assert verdict.answer is answer
    assert _is_cited(verdict, book)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("gap_mm", "answer"), [(30.0, Answer.YES), (29.0, Answer.NO)])
def test_a_base_fits_between_two_that_leave_it_room(book: EditionId, gap_mm: float, answer: Answer) -> None:
    state = _table(book, mini("a", 300, 300), mini("l", 500, 300), mini("r", 530 + gap_mm, 300))

    verdict = asked(state, "fits-between", mover="a", a="l", b="r")

    assert verdict.answer is answer
    assert _is_cited(verdict, book)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("x", "answer"), [(450, Answer.YES), (300, Answer.NO)])
def test_a_base_on_a_hill_stands_higher(book: EditionId, x: float, answer: Answer) -> None:
    state = _table(book, mini("a", x, 450), terrain=[box("h", "hill", 400, 400, 500, 500, height_mm=40)])

    verdict = asked(state, "elevation", who="a")

    assert verdict.answer is answer
    assert _is_cited(verdict, book)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("x", "answer"), [(400, Answer.YES), (320, Answer.NO)])
def test_who_is_out_of_formation_comes_back_to_the_leader(book: EditionId, x: float, answer: Answer) -> None:
    card = {"side": "red", "unit": "u", "profile": {"spd_in": 6}}
    state = _table(
        book,
        mini("a", x, 300, 180, **card, before={"at_mm": [360, 300]}),
        mini("l", 900, 300, **card),
        units=[{"id": "u", "commander": "l", "spacing_in": 3}],
    )

    verdict = asked(state, "regroup-move", mover="a", path_mm=[[360, 300], [x, 300]])

    assert verdict.answer is answer
    assert _is_cited(verdict, book)


@pytest.mark.parametrize("book", ["warmachine-prime", "warmachine-mk1"])
@pytest.mark.parametrize(("gap_mm", "answer"), [(0.2, Answer.YES), (9.0, Answer.NO)])
def test_an_inert_warjack_is_taken_over_in_base_contact(book: EditionId, gap_mm: float, answer: Answer) -> None:
    caster = mini("a", 300, 300, side="red", mm=30, type="warcaster")
    jack = mini("j", 340 + gap_mm, 300, side="red", mm=50, type="warjack", status=["inert"])

    verdict = asked(_table(book, caster, jack), "take-control", caster="a", target="j")

    assert verdict.answer is answer
    assert _is_cited(verdict, book)
