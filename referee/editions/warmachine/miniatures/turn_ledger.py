"""Turn ledger: what a miniature did and is this activation, and which acts that leaves to it, by its book's table."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from models.queries import MayMove
from models.turn import ThisTurn
from models.verdict import CAPPED_MM, Reason
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.memo import memoize
from referee.rules.rule_result import RuleResult, plain_condition
from referee.rules.turn_ledger import Bar, Ledger, bar, keep_ledger

_MOVES = "advance run charge slam trample"
_BLOWS = "melee-attack ranged-attack power-attack"
_EVERY = f"{_MOVES} aim stand-up {_BLOWS} spell"
_ACTS = tuple(_EVERY.split())
_ATTACKS = f"attack {_BLOWS} spell"  # `attack` is one at any time, in its activation or not

_DOWN = because("Knockdown", 61, "A knocked down model has no reach and is in no melee.")
_STILL = because("Stationary Models", 61, "A stationary model has no reach and is in no melee.")
_INERT = because("Inert Warjacks", 59, "An inert warjack has no reach and is not engaged.")
HELPLESS: dict[str, Reason] = {"knocked-down": _DOWN, "stationary": _STILL, "inert": _INERT}
_BARRED = because("Making Attacks", 41, "It has been told that it cannot attack.")
_HELD = because("Normal Movement & Advancing", 30, "It has been told that it cannot move.")
LOST = because("Out of Formation", 64, "A trooper out of its commander's command range cannot attack.")
_ASTRAY = because("Out of Formation", 64, "It goes back to its commander: a full advance, or a run at him.")
_WILD = because("Wild Warbeasts", 103, "A wild warbeast makes no attacks.")
_RUNS_WILD = because("Wild Warbeasts", 103, "It runs, or makes a full advance where it cannot.")
_CRIPPLED = because("Crippling Systems", 57, "With a crippled movement system nobody runs, charges, slams or tramples.")
_CAST = because("Run", 30, "Nobody runs after casting a spell.")
_RAN = because("Run", 30, "Who runs has forfeited the Combat Action.")
_OVER = because("Run", 30, "With the run its activation ends.")
_RAN_NO_SPELL = because("Casting a Spell with FOCUS", 71, "Who has run casts no spells.")
_ROSE = because("Knockdown", 61, "Who stood up may still advance or attack, as it gave up the other.")
_NOT_YET = because("Knockdown", 61, "Not in the turn of its own player in which it fell.")
_SPENT = because("Normal Movement & Advancing", 30, "It has used its Normal Movement otherwise.")
_FIRST = because("Activating Models", 29, "Normal Movement comes before the Combat Action.")
_GAVE_UP_MOVE = because("Normal Movement & Advancing", 30, "It has forfeited its Normal Movement.")
_GAVE_UP = because("Making Attacks", 41, "It has forfeited its Combat Action.")
_NO_CHARGE = because("Charge", 31, "Who forfeits its Combat Action cannot charge.")
_NO_RUN = because("Run", 30, "A run takes a Combat Action to forfeit.")
_NO_SLAM = because("Slam", 45, "Who forfeited Movement or Action cannot slam.")
_NO_TRAMPLE = because("Trample", 48, "Who forfeited Movement or Action cannot trample.")
_CHARGED = because("Charge", 31, "After a charge the Combat Action is spent on melee attacks.")
_NO_POWER = because("Power Attacks", 44, "None in an activation in which it charged.")
_FAILED = because("Charge", 31, "A failed charge ends its activation.")
_POWER = because("Power Attacks", 44, "A slam or trample has spent its Combat Action.")
_ONE_KIND = because("Combat Actions", 36, "Melee and ranged attacks are not made in the same Combat Action.")
_ADDITIONAL = because("Combat Actions", 36, "No additional attack is a power attack.")

# The chapters on activation as one table: what of a turn bars which act, and what lifts it.
TURN_ROWS: tuple[Bar, ...] = (
    bar("knocked-down", _ATTACKS, _DOWN),
    bar("knocked-down", f"{_MOVES} aim", because("Knockdown", 61, "A knocked down model stands up before it moves.")),
    bar("stationary", _ATTACKS, _STILL),
    bar("stationary", f"{_MOVES} aim stand-up", because("Stationary Models", 61, "A stationary model cannot advance.")),
    bar("inert", _ATTACKS, _INERT),
    bar("inert", f"{_MOVES} aim stand-up", because("Inert Warjacks", 59, "An inert warjack cannot advance.")),
    bar("wild", _ATTACKS, _WILD),
    bar("wild", "charge slam trample aim", _RUNS_WILD),
    bar("cannot-attack", f"{_ATTACKS} charge slam trample", _BARRED),
    bar("disabled", _ATTACKS, _BARRED),
    bar("disabled", f"{_MOVES} aim stand-up", _HELD),
    bar("removed", f"{_ATTACKS} {_EVERY}", _BARRED),
    bar("movement-barred", _MOVES, _HELD),
    bar("out-of-formation", _BLOWS, LOST),
    bar("out-of-formation", "charge slam trample aim", _ASTRAY),
    bar("crippled-movement", "run charge slam trample", _CRIPPLED),
    bar("fell-now", "stand-up", _NOT_YET),
    bar("forfeited-movement", _MOVES, _GAVE_UP_MOVE),
    bar("forfeited-action", _BLOWS, _GAVE_UP),
    bar("forfeited-action", "run", _NO_RUN, unless="runs-without-action"),
    bar("forfeited-action", "charge", _NO_CHARGE),
    bar("forfeited-action", "slam", _NO_SLAM),
    bar("forfeited-action", "trample", _NO_TRAMPLE),
    bar("stood-up", "run charge slam trample aim stand-up", _ROSE),
    bar("cast", "run", _CAST),
    *(bar(deed, f"{_MOVES} aim stand-up", _SPENT) for deed in ("advance", "charge", "slam", "trample")),
    *(bar(deed, f"{_MOVES} aim stand-up", _FIRST) for deed in ("attacked", "shot")),
    bar("run", _BLOWS, _RAN),
    bar("run", f"{_MOVES} aim stand-up", _OVER),
    bar("run", "spell", _RAN_NO_SPELL),
    bar("charge", "ranged-attack", _CHARGED, unless="shoots-after-charge"),
    bar("charge", "power-attack", _NO_POWER),
    bar("charge-failed", "melee-attack power-attack spell", _FAILED),
    bar("charge-failed", "ranged-attack", _FAILED, unless="shoots-after-charge"),
    *(bar(deed, "ranged-attack power-attack", _POWER) for deed in ("slam", "trample")),
    bar("attacked", "power-attack", _ADDITIONAL),
    bar("attacked", "ranged-attack", _ONE_KIND),
    bar("shot", "melee-attack power-attack", _ONE_KIND, unless="assault-shot"),
)  # fmt: skip
_DONE = frozenset((*_MOVES.split(), "charge-failed", "attacked", "shot"))
_NORMAL = frozenset(("forfeited-movement", "forfeited-action", "stood-up", "cast"))  # of its Normal Movement alone


def actions_of(table: ExactTable, id_: str) -> frozenset[str]:
    """What it counts as having done this turn, its unit's deeds included. Source: Unit Activation, p. 64."""
    return frozenset(word for turn in _turns_of(table, id_) for word in turn.moved)


def forfeited_parts(table: ExactTable, id_: str) -> frozenset[str]:
    """What it has given up this turn, with its unit. Source: Normal Movement & Advancing, p. 30."""
    return frozenset(word for turn in _turns_of(table, id_) for word in turn.forfeited)


def ledger_of(
    table: ExactTable, id_: str, *, judged: str | None = None, traits: frozenset[str] | None = None
) -> Ledger:
    """Turn ledger of a miniature; of an act that is `judged` and was done only what came before it bars."""
    return memoize(table.state, ("turn", id_, judged, traits), lambda: _keep_ledger(table, id_, judged, traits))


def _keep_ledger(table: ExactTable, id_: str, judged: str | None, traits: frozenset[str] | None) -> Ledger:
    deeds, lifting = tuple(_deeds(table, id_)), terms_of(table).turn_traits
    if judged == "granted":  # a move by a rule of its own, in no Normal Movement
        deeds = tuple(deed for deed in deeds if deed not in _DONE | _NORMAL)
    elif judged == "done" or judged in deeds:
        own = {"forfeited-action"} if "run" in deeds else set()  # what it took to run
        deeds = tuple(deed for deed in deeds if deed not in _DONE | own)
    rows = (*TURN_ROWS, *terms_of(table).turn_rows)
    return keep_ledger(rows, deeds, lifting | (_traits(table, id_, deeds) if traits is None else traits))


def check_turn(table: ExactTable, id_: str, act: str, *, judged: str | None = None) -> RuleResult:
    """Whether its turn leaves it that act, which may be one already done. Source: Activating Models, p. 29."""
    ledger = ledger_of(table, id_, judged=judged or act)
    rules = ledger.rules_against([act])
    return plain_condition(id_, not rules, *rules)


def may_move(table: ExactTable, query: MayMove) -> RuleResult:
    """What is left of an activation: moves, attacks and spells. Source: Activating Models, p. 29."""
    id_ = query.mover
    ledger, acts = ledger_of(table, id_), tuple(act for act in _ACTS if _is_on_card(table, id_, act))
    cite = table.edition.cite
    if cite is not None:
        ledger = replace(ledger, bars=tuple(replace(row, rule=cite(row.rule)) for row in ledger.bars))
    left = [act for act in acts if not ledger.why_not(act)]
    text = f"{name_of(table, id_)} may still: {', '.join(left)}." if left else f"{name_of(table, id_)} is done."
    return RuleResult(
        margin_mm=CAPPED_MM if left else -CAPPED_MM,
        value=ledger.value(acts),
        because=(with_effect(table, _FIRST, text), *ledger.rules_against(acts)),
        depends_on_place=(id_,),
    )


def _turns_of(table: ExactTable, id_: str) -> tuple[ThisTurn, ...]:
    """Its own turn and that of its unit, which holds for its members. Source: Unit Activation, p. 64."""
    me = table.miniature(id_)
    return (me.this_turn, *(unit.this_turn for unit in table.state.units if unit.id == me.unit))


def _deeds(table: ExactTable, id_: str) -> Iterator[str]:
    """What it did, gave up and is, in words of the table."""
    me, turns = table.miniature(id_), _turns_of(table, id_)
    rose, shot = (any(getattr(turn, word) for turn in turns) for word in ("stood_up", "shot"))
    yield from (word for word in me.status if not (word == "knocked-down" and rose))
    states = {
        "fell-now": me.side is not None and any(turn.knocked_down_in == me.side for turn in turns),
        "stood-up": rose,
        "cast": any(turn.cast for turn in turns),
        "charge": any(turn.charged is not None for turn in turns),
        "charge-failed": any(turn.charge_failed for turn in turns),
        "attacked": any(turn.attacked for turn in turns) and not shot,
        "shot": shot,
    }
    yield from (f"forfeited-{word}" for word in sorted(forfeited_parts(table, id_)))
    yield from (word for turn in turns for word in turn.moved)
    yield from (word for word, holds in states.items() if holds)


def _traits(table: ExactTable, id_: str, deeds: Iterable[str]) -> frozenset[str]:
    """What lifts a bar: advantages on its card."""
    me, charged = table.miniature(id_), "charge" in deeds
    shoots = {"shoots-after-charge"} if me.has("assault") or me.has("gunfighter") else set()
    assault = {"assault-shot"} if charged and me.has("assault") else set()
    return frozenset(shoots | assault)


def _is_on_card(table: ExactTable, id_: str, act: str) -> bool:
    """Whether it is one to act so at all: warbeasts and warjacks slam, who has a gun shoots, casters cast."""
    me = table.miniature(id_)
    if act in ("slam", "trample", "power-attack"):
        return me.type in ("warjack", "warbeast")
    if act == "stand-up":
        return "knocked-down" in me.status
    if act in ("ranged-attack", "aim"):
        return bool(me.profile.ranged)
    return act != "spell" or me.type in ("warcaster", "warlock") or bool(me.profile.spells)
