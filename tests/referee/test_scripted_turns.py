"""One whole turn of each book, played by a script: after each step every ledger is the one worked by hand."""

from typing import Any

import pytest

from models.state import TableState
from models.vocabulary import EditionId
from tests.referee.editions.warhammer_9 import tables as ranked
from tests.referee.tables import asked, mini, table

Step = tuple[str, dict[str, Any], str]  # who, what it did since its activation began, and what is left of it after that
MOVES = "advance run charge"
WHOLE = f"{MOVES} aim melee-attack ranged-attack spell"
BEAST = f"{MOVES} slam trample melee-attack power-attack"
# A caster advances, casts, shoots; a beast charges and strikes; one trooper runs, another shoots; the fallen one rises.
ROUND: dict[EditionId, tuple[Step, ...]] = {
    book: (
        ("caster", {"cast": True}, "advance charge aim melee-attack ranged-attack spell"),
        ("caster", {"moved": ["advance"]}, "melee-attack ranged-attack spell"),
        ("caster", {"shot": True}, "ranged-attack spell"),
        ("beast", {"moved": ["charge"], "charged": "foe"}, "melee-attack"),
        ("beast", {"attacked": True}, "melee-attack"),
        ("brute", {"moved": ["slam"]}, "melee-attack"),
        ("runner", {"moved": ["run"]}, ""),
        ("gunner", {"forfeited": ["movement"]}, "aim melee-attack ranged-attack"),
        ("gunner", {"shot": True}, "ranged-attack"),
        ("fallen", {"stood_up": True, "forfeited": ["action"]}, "advance"),
        ("fallen", {"moved": ["advance"]}, ""),
        ("late", {"moved": ["charge"], "charged": "foe", "charge_failed": True}, ""),
    )
    for book in ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
}  # fmt: skip
CAST = {
    "caster": WHOLE, "beast": BEAST, "brute": BEAST, "runner": f"{MOVES} melee-attack",
    "gunner": f"{MOVES} aim melee-attack ranged-attack", "fallen": "stand-up", "late": f"{MOVES} melee-attack",
}  # fmt: skip


def field_of(book: EditionId, turns: dict[str, dict[str, Any]]) -> TableState:
    """Everybody of the red side, far from the enemy, each with what it did so far."""
    kinds = {"caster": "warlock" if book == "hordes-mk2" else "warcaster"}
    kinds |= dict.fromkeys(("beast", "brute"), "warbeast" if book == "hordes-mk2" else "warjack")
    return table(
        *(
            mini(id_, 100 + 120 * k, 300, 90, side="red", reach=0.5, type=kinds.get(id_, "solo"),
                 status=["knocked-down"] * (id_ == "fallen"), this_turn=turns.get(id_, {}),
                 **({"gun": 10} if id_ in ("caster", "gunner") else {}))
            for k, id_ in enumerate(CAST)
        ),
        mini("foe", 500, 900, 270, side="blue", reach=0.5),
        edition=book, turn={"round": 1, "active": "red", "phase": "activation"},
    )  # fmt: skip


@pytest.mark.parametrize("book", ROUND)
def test_each_ledger_of_an_activation_phase_is_right_at_every_step(book: EditionId) -> None:
    turns: dict[str, dict[str, Any]] = {}
    left, played = dict(CAST), []
    for id_, deed, after in ROUND[book]:
        before = turns.get(id_, {})
        turns[id_] = before | deed
        left[id_] = after
        state = field_of(book, turns)
        found = {one: asked(state, "may-move", mover=one).value["may"] for one in CAST}
        played.append({one: acts for one, acts in found.items() if set(acts) != set(left[one].split())})  # type: ignore[arg-type]

    assert played == [{}] * len(ROUND[book])


FOOT = "move march reform"
LOOSE = f"{FOOT} free-reform"
# Charges, then compulsory moves, then the rest of Movement, then Shooting: Warhammer's turn by its sub-phases.
PHASES: tuple[Step, ...] = (
    ("knights", {"moved": ["charge"], "charged": "foe"}, ""),
    ("spears", {"charged": "foe", "charge_failed": True}, ""),
    ("routed", {"rallied": True}, "reform"),
    ("wild", {"moved": ["random"]}, ""),
    ("swords", {"moved": ["swift-reform"]}, "move"),
    ("swords", {"moved": ["swift-reform", "advance"]}, ""),
    ("bows", {"moved": ["advance"]}, ""),
    ("bows", {"moved": ["advance"], "shot": True}, ""),
    ("scouts", {"moved": ["reform"]}, LOOSE),
    ("scouts", {"moved": ["reform", "march"]}, "free-reform"),
    ("halberds", {"moved": ["march"]}, ""),
    ("reserve", {"moved": ["reinforced"]}, ""),
)
ARMY = {"knights": FOOT, "spears": FOOT, "routed": FOOT, "wild": "", "swords": FOOT, "bows": FOOT, "scouts": LOOSE,
        "halberds": FOOT, "reserve": FOOT}  # fmt: skip
# After a swift reform it shoots as one that moved (Swift Reform, p. 80); fast cavalry on the march (p. 65).
MAY_SHOOT = {"swords": True, "bows": True, "scouts": True, "halberds": False, "knights": False, "routed": False}


def army_of(turns: dict[str, dict[str, Any]]) -> TableState:
    """Nine regiments far from the enemy, each with what it did so far."""
    units = []
    for k, id_ in enumerate(ARMY):
        unit = ranked.block(id_, "red", (120 + 190 * k, 200), 90, 5, 10, this_turn=turns.get(id_, {}))
        words = {"wild": ["random-movement"], "scouts": ["fast-cavalry"]}.get(id_, [])
        unit["block"]["profile"] = {**ranked.CARD, "abilities": words}
        units.append(unit)
    foe = ranked.block("foe", "blue", (900, 1150), 270, 5, 10)
    return ranked.table([*units, foe], turn={"round": 2, "active": "red", "phase": "movement"})


def test_each_ledger_of_a_warhammer_turn_is_right_at_every_step() -> None:
    turns: dict[str, dict[str, Any]] = {}
    left, played = dict(ARMY), []
    for id_, deed, after in PHASES:
        turns[id_], left[id_] = deed, after
        state = army_of(turns)
        found = {one: asked(state, "may-move", mover=one).value["may"] for one in ARMY}
        played.append({one: acts for one, acts in found.items() if set(acts) != set(left[one].split())})  # type: ignore[arg-type]

    assert played == [{}] * len(PHASES)


def test_who_may_still_shoot_at_the_end_of_the_movement_phase() -> None:
    ends = {id_: deed for id_, deed, _ in PHASES if "shot" not in deed}
    state = army_of(ends)

    shoots = {id_: asked(state, "may-shoot", attacker=id_).answer == "yes" for id_ in MAY_SHOOT}
    assert shoots == MAY_SHOOT
