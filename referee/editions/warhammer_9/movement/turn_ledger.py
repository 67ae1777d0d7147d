"""Turn ledger: what a regiment did and is this turn, and which moves, charges and shots that leaves to it."""

from collections.abc import Iterator

from models.queries import Charge
from models.vocabulary import Ability
from referee.editions.warhammer_9.movement.movement_dice import can_fly
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import (
    are_friends,
    garrisoned_building,
    is_loose,
    kind_of,
    leading_miniature,
    members_of,
    side_of,
)
from referee.editions.warhammer_9.units.unit_strength import has_charged, this_turn_of
from referee.geometry.containment import reach_into
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_more_than
from referee.rules.turn_ledger import Ledger, bar, keep_ledger

MOVES = ("move", "march", "reform", "free-reform")
_ALL = "move march reform free-reform charge garrison"
_ONCE = because("Moving Your Units", 23, "Who charged, fled, rallied, moved already or fights makes no more moves.")
_RANDOM = because("Random Movement", 64, "It goes where its dice say among the compulsory moves, and nowhere else.")
_NO_SHOT = because(
    "Who Can Shoot?", 34, "Not after marching, reforming, rallying, charging or fleeing, and not while engaged."
)
_SHOOTING_WORDS = {"march": "marched", "reform": "reformed", "flee": "fled", "overrun": "overran", "pursuit": "pursued",
                   "charge-failed": "failed-charge", "shot": "has-shot"}  # fmt: skip
# The chapters of the book as one table: what of a unit's turn bars which act, and what lifts it.
_TABLE = (
    bar("fleeing", _ALL + " shoot", because("Move Fleeing Units", 21, "It flees until it rallies.")),
    bar("engaged", "move march charge shoot", _ONCE),
    bar("stupid", _ALL + " shoot", because("Stupidity", 66, "Having failed its test it stumbles on, and no more.")),
    bar("charge-failed", _ALL + " shoot", because("Failed Charge", 19, "It has moved, and neither moves nor shoots.")),
    bar("charged", _ALL + " shoot", _ONCE),
    bar("rallied", "move march charge garrison shoot", because("Rally Fleeing Units", 21, "It reforms, and no more.")),
    bar("joined", _ALL, because("Joining a Unit", 81, "Neither the character nor the unit moves any more.")),
    bar("random", _ALL, _ONCE),
    bar("random-movement", "move march reform free-reform charge", _RANDOM),
    bar("flee", _ALL + " shoot", _ONCE),
    bar("march", "move march charge garrison", _ONCE),
    bar("march", "reform", because("Marching", 23, "A unit on the march does not reform.")),
    bar("march", "shoot", _NO_SHOT, unless="loose"),
    bar("reform", "move march reform", because("Reform", 16, "It gives up all other moves."), unless="loose"),
    bar("reform", "garrison", because("Garrisoning a Building", 98, "Not in a turn in which it marched or reformed.")),
    bar("reform", "shoot", _NO_SHOT, unless="loose"),
    bar("reformed-twice", "free-reform", because("Free Reform", 65, "Once before it moves, and once at the end.")),
    bar("swift-reform", "march reform garrison", because("Swift Reform", 80, "It still moves, and does not march.")),
    bar("advance", "move march", _ONCE, unless="in-parts"),
    bar("advance", "charge", _ONCE),
    bar("advance", "reform", because("Reform", 16, "A reform takes the place of all other moves.")),
    bar("fly", "move march", _ONCE, unless="in-parts"),
    bar("fly", "reform", because("Reform", 16, "A reform takes the place of all other moves.")),
    bar("reinforced", "march charge", because("Reinforcements", 24, "It neither charges nor marches.")),
    bar("reinforced", "move reform free-reform", because("Reinforcements", 24, "It is placed."), unless="then-moves"),
    bar("vanguard", "charge", because("Vanguard", 67, "No charge in the first turn of the game.")),
    bar("pursuit", "shoot", _NO_SHOT),
    bar("overrun", "shoot", _NO_SHOT),
    bar("shot", "shoot", _NO_SHOT),
    bar("chariot", "march", because("Chariots", 72, "It does not march.")),
    bar("construct", "march", because("Animated Constructs", 57, "They do not march.")),
    bar("war-machine", "march charge", because("War Machines", 86, "It neither marches nor charges.")),
    bar("war-machine", "pursue", because("War Machines in Close Combat", 87, "The crew stay with their machine.")),
    bar("garrison", "pursue", because("Abandoning a Building", 98, "A garrison stays in its building.")),
    bar("moved-without-a-charge", "overrun", because("Overrun", 51, "Only who charged this turn overruns.")),
    bar("garrison", "march charge", because("Abandoning a Building", 98, "It comes out, and no more.")),
    bar("entered", "garrison", because("Abandoning a Building", 98, "Not in the turn in which it went in.")),
)  # fmt: skip
LEDGER_READINGS = {"reinforced": "reserve-depth", "advance": "second-move", "fly": "second-move"}
_BINDING: tuple[Ability, ...] = ("random-movement", "construct")
_WHOLE_MOVES = frozenset({"advance", "march", "fly"})


def ledger_of(table: ExactTable, id_: str, *, before_move: bool = False) -> Ledger:
    """Turn ledger of a unit; `before_move` leaves out the move itself, where that is what is judged."""
    deeds = [deed for deed in _deeds(table, id_) if not (before_move and deed in _WHOLE_MOVES)]
    return keep_ledger(_TABLE, deeds, _traits(table, id_))


def ledger_doubts(table: ExactTable, id_: str) -> tuple[str, ...]:
    """House rules that say which moves are left after one of its deeds."""
    moved = this_turn_of(table, id_).moved
    return tuple(dict.fromkeys(key for deed, key in LEDGER_READINGS.items() if deed in moved))


def why_may_not_charge(table: ExactTable, query: Charge) -> list[str]:
    """Why it may not charge at all. Source: p. 17, 24, 59, 64-67, 86, 98."""
    first = leading_miniature(table, query.attacker)
    done = ledger_of(table, query.attacker).why_not("charge")
    bars = [word for word in done if word not in ("charged", "charge-failed")]  # the charge itself, which is judged
    bars += ["scouts"] * (
        first.has("scouts") and _is_first_turn(table, query.attacker) and _is_outside_own_zone(table, query)
    )
    bars += ["cannot-fly"] * (query.manner == "fly" and not can_fly(table, query.attacker))
    return bars + ["friend"] * are_friends(table, query.attacker, query.target)


def shooting_bars(table: ExactTable, id_: str) -> list[str]:
    """What of its turn forbids it to shoot with any weapon. Source: Who Can Shoot?, p. 34; Fire on the March, p. 65."""
    return [_SHOOTING_WORDS.get(word, word) for word in ledger_of(table, id_).why_not("shoot")]


def _deeds(table: ExactTable, id_: str) -> Iterator[str]:
    """What it did, and what it is that bars anything."""
    deeds, first = this_turn_of(table, id_), leading_miniature(table, id_)
    minis = [table.miniature(m) for m in members_of(table, id_)]  # what binds one binds all. Source: Movement, p. 82
    yield from (word for word in ("fleeing", "stupid") if any(word in m.status for m in minis))
    yield from (word for word in _BINDING if any(m.has(word) for m in minis))
    yield from (word for word in deeds.moved if word not in ("charge", "vanguard"))
    states = {
        "engaged": bool(engaged_with(table, id_)),
        "charge-failed": deeds.charge_failed,
        "charged": has_charged(deeds) and not deeds.charge_failed,
        "rallied": deeds.rallied,
        "joined": deeds.joined or any(m.this_turn.joined for m in minis),
        "shot": deeds.shot,
        "moved-without-a-charge": bool(deeds.moved) and not has_charged(deeds),
        "reformed-twice": deeds.moved.count("reform") > 1,
        "vanguard": "vanguard" in deeds.moved and _is_first_turn(table, id_),
        "garrison": garrisoned_building(table, id_) is not None,
        "entered": garrisoned_building(table, id_) in deeds.entered,
        kind_of(first): True,
    }
    yield from (word for word, holds in states.items() if holds)


def _traits(table: ExactTable, id_: str) -> Iterator[str]:
    """What lifts a bar: its kind, and how the table reads the book."""
    if is_loose(table, id_):
        yield "loose"
    yield from (table.reading(key) for key in dict.fromkeys(LEDGER_READINGS.values()))


def _is_first_turn(table: ExactTable, id_: str) -> bool:
    """Whether this is the first turn of the side that goes first; where the round is not told, it may be."""
    turn = table.state.turn
    first = next((side.first for side in table.state.sides if side.id == side_of(table, id_)), True)
    return first and (turn is None or turn.round in (None, 1))


def _is_outside_own_zone(table: ExactTable, query: Charge) -> bool:
    """Whether the charger stands outside its own zone, as only scouts may. Source: Scouts, p. 64."""
    side = side_of(table, query.attacker)
    zones = [z.id for z in table.state.zones if z.kind == "deployment" and z.side == side]
    return bool(zones) and not any(_stands_in_zone(table, query.attacker, zone) for zone in zones)


def _stands_in_zone(table: ExactTable, id_: str, zone: str) -> bool:
    """Whether all of a unit reaches into a zone."""
    depths = {m: reach_into(table.base(m), table.area(zone)) for m in members_of(table, id_)}
    least = min(depths, key=lambda m: depths[m])
    return is_more_than(depths[least], 0.0, "stands in", (least, *table.movers_of(zone)))
