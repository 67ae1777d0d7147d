"""Turn ledger: what it bars every question about that act refuses, with the sentence and its page."""

import random
from typing import Any

import pytest

from models.state import TableState
from models.vocabulary import EditionId
from tests.referee.tables import asked, mini, table

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
STATUSES = ("knocked-down", "stationary", "inert", "wild", "cannot-attack", "disabled", "crippled-movement",
            "movement-barred", "out-of-formation", "fleeing", "cowering")  # fmt: skip
ASKED: dict[str, dict[str, Any]] = {
    "advance": {"kind": "move", "mover": "a", "heading_deg": 0, "distance_in": 1},
    "run": {"kind": "move", "mover": "a", "heading_deg": 0, "distance_in": 1, "manner": "run"},
    "charge": {"kind": "charge", "attacker": "a", "target": "b", "step": "declare"},
    "slam": {"kind": "slam", "attacker": "a", "target": "b"},
    "trample": {"kind": "trample", "attacker": "a", "heading_deg": 90},
    "aim": {"kind": "aim", "who": "a"},
    "stand-up": {"kind": "stand-up", "who": "a"},
    "ranged-attack": {"kind": "may-shoot", "attacker": "a"},
    "melee-attack": {"kind": "target-legal", "attacker": "a", "target": "b", "attack": "melee"},
    "power-attack": {"kind": "power-attack", "attacker": "a", "target": "b", "attack": "head-butt"},
    "spell": {"kind": "spell-target", "caster": "a", "target": "b", "range_in": 10},
}


# What is part of such an act, and the ability that it takes.
_PARTY = {"participants": ["a"], "primary": "a", "target": "b"}
_PAIR = {"attacker": "a", "target": "b"}
PARTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("melee-attack", "combined-melee-attack", {"kind": "combined-melee", **_PARTY}),
    ("ranged-attack", "combined-ranged-attack", {"kind": "combined-ranged", **_PARTY}),
    ("ranged-attack", "assault", {"kind": "assault", **_PAIR}),
    ("charge", "cavalry", {"kind": "impact-attacks", **_PAIR}),
)
RAN, SHOT, CHARGED = {"moved": ["run"]}, {"moved": ["advance"], "shot": True}, {"moved": ["charge"], "charged": "b"}
SPENT = [(0, {}, RAN), (0, {}, SHOT), (2, CHARGED, CHARGED | {"attacked": True}), (3, {}, {"moved": ["advance"]})]


def duel(edition: EditionId, this_turn: dict[str, Any], *, x: float = 300, **more: Any) -> TableState:
    """A large warbeast or warjack and an enemy in front of it, out of melee."""
    card = {"spd_in": 5, "spells": [{"name": "Bolt", "rng_in": 10, "offensive": True}],
            "melee": [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist"]}],
            "ranged": [{"name": "Gun", "rng_in": 10}]}  # fmt: skip
    kind = "warbeast" if edition == "hordes-mk2" else "warjack"
    me = mini("a", x, 600, 0, mm=50, side="red", type=kind, profile=card, this_turn=this_turn, **more)
    return table(me, mini("b", 430, 600, 180, side="blue", reach=0.5), edition=edition,
                 house_rules={} if edition == "warmachine-prime" else {"measure-policy": "allow"},
                 turn={"round": 2, "active": "red", "phase": "activation", "activating": "a"})  # fmt: skip


def drawn_turn(r: random.Random) -> dict[str, Any]:
    """Some of what a turn may hold, an act that moves it at most."""
    moved = r.choice((None, None, "advance", "run", "charge", "slam", "trample"))
    turn: dict[str, Any] = {"moved": [moved]} if moved is not None else {}
    turn |= {word: True for word in ("attacked", "shot", "cast", "stood_up") if r.random() < 0.2}
    if r.random() < 0.3:
        turn["forfeited"] = [r.choice(("movement", "action"))]
    return turn | ({"charge_failed": True} if moved == "charge" and r.random() < 0.3 else {})


@pytest.mark.parametrize("edition", BOOKS)
@pytest.mark.parametrize("seed", range(12))
def test_no_question_allows_what_the_ledger_bars(edition: EditionId, seed: int) -> None:
    r = random.Random(seed)
    turn = drawn_turn(r)
    state = duel(edition, turn, status=r.sample(STATUSES, r.choice((0, 0, 1))))
    ledger = asked(state, "may-move", mover="a").value

    allowed = {
        act
        for act, why in ledger["barred"].items()  # type: ignore[union-attr]
        if why and not set(turn.get("moved", ())) & {act} and asked(state, **ASKED[act]).answer == "yes"
    }
    assert allowed == set()


def take_part(edition: EditionId, part: int, turn: dict[str, Any], **more: Any) -> bool:
    """Whether that part of an act is allowed to a miniature whose turn so far is that one."""
    act, ability, query = PARTS[part]
    state = duel(edition, turn, abilities=[ability], x=380 if act == "melee-attack" else 300, **more)
    verdict = asked(state, **query)
    if act == "charge":
        return verdict.status != "refused"
    return verdict.answer == "yes" or any(member.answer == "yes" for member in verdict.members)


@pytest.mark.parametrize("edition", BOOKS)
@pytest.mark.parametrize("seed", range(12))
def test_no_part_of_an_act_is_allowed_where_the_ledger_bars_the_act(edition: EditionId, seed: int) -> None:
    r = random.Random(seed)
    turn, statuses = drawn_turn(r), r.sample(STATUSES, r.choice((0, 1)))
    for part, (act, ability, _) in enumerate(PARTS):
        if act in turn.get("moved", ()):
            continue  # the act itself, which is judged
        told = turn | ({"charged": "b"} if ability == "assault" and "charge" in turn.get("moved", ()) else {})
        state = duel(edition, told, abilities=[ability], status=statuses)
        barred: Any = asked(state, "may-move", mover="a").value["barred"]

        assert not barred[act] or not take_part(edition, part, told, status=statuses), (act, told, statuses)


@pytest.mark.parametrize(("part", "before", "after"), SPENT)
def test_who_has_spent_the_act_takes_no_part_in_it(part: int, before: dict[str, Any], after: dict[str, Any]) -> None:
    for edition in BOOKS:
        if (edition, PARTS[part][1]) != ("hordes-mk2", "assault"):  # which that book does not know
            assert take_part(edition, part, before)
        assert not take_part(edition, part, after)


@pytest.mark.parametrize("edition", BOOKS)
def test_an_unspent_activation_leaves_every_move_and_attack(edition: EditionId) -> None:
    verdict = asked(duel(edition, {}), "may-move", mover="a")

    assert set(verdict.value["may"]) >= {"advance", "run", "charge", "slam", "trample", "aim", "ranged-attack", "spell"}  # type: ignore[arg-type]
    assert (verdict.answer, verdict.value["ledger"]) == ("yes", [])


def test_each_deed_stands_with_the_acts_it_bars_and_its_page() -> None:
    verdict = asked(duel("warmachine-prime", {"moved": ["run"]}), "may-move", mover="a")

    assert verdict.answer == "no"
    rows = verdict.value["ledger"]
    assert {"deed": "run", "bars": ["spell"], "section": "Casting a Spell with FOCUS", "page": 71} in rows  # type: ignore[operator]


@pytest.mark.parametrize(
    ("turn", "act", "left"),
    [
        ({"forfeited": ["action"]}, "run", {"warmachine-mk1"}),
        ({"cast": True}, "run", set()),
        ({"stood_up": True, "forfeited": ["action"]}, "advance", set(BOOKS)),
        ({"stood_up": True, "forfeited": ["action"]}, "run", set()),
        ({"stood_up": True, "forfeited": ["movement"]}, "aim", set()),
        ({"moved": ["charge"], "charge_failed": True}, "spell", set()),
        ({"moved": ["charge"]}, "melee-attack", set(BOOKS)),
        ({"moved": ["advance"], "shot": True}, "melee-attack", set()),
        ({"moved": ["advance"], "shot": True}, "ranged-attack", set(BOOKS)),
    ],
)
def test_what_a_turn_leaves(turn: dict[str, Any], act: str, left: set[str]) -> None:
    may = {book: asked(duel(book, turn), "may-move", mover="a").value["may"] for book in BOOKS}

    assert {book for book, acts in may.items() if act in acts} == left  # type: ignore[operator]


def test_a_finished_move_is_judged_by_what_came_before_it() -> None:
    state = duel("warmachine-prime", {"moved": ["advance"], "path_mm": [[250, 600], [300, 600]]})

    assert asked(state, "move", mover="a").answer == "yes"
    assert asked(state, "move", mover="a", heading_deg=0, distance_in=1).answer == "no"


def test_a_unit_that_ran_leaves_its_troopers_nothing() -> None:
    state = table(
        mini("a", 300, 600, unit="u", side="red", reach=1),
        units=[{"id": "u", "side": "red", "this_turn": {"moved": ["run"]}}],
    )

    assert asked(state, "may-move", mover="a").answer == "no"


def test_assault_shoots_after_its_charge_and_strikes_after_its_shot() -> None:
    state = duel("warmachine-prime", {"moved": ["charge"], "shot": True}, abilities=["assault"])
    may = asked(state, "may-move", mover="a").value["may"]

    assert {"melee-attack", "ranged-attack"} <= set(may)  # type: ignore[arg-type]
