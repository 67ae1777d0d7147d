"""Card numbers: what of an answer stands on a card, whose card that is, and what is only supposed."""

from api.live.entities import leader_of
from models.miniature import Miniature
from models.state import TableState
from models.unit import Unit
from models.vocabulary import Id

_MOST_WEAPONS = 4


def describe_card(state: TableState, id_: Id, *, letter: str) -> str:
    """The numbers that count for it, and where they were read. Raises: UnknownThing."""
    me = leader_of(state, id_, field="")
    told = _numbers(state, me)
    missing = [name for name, is_told in _needed(me) if not is_told]
    source = f" (card: {me.profile.source})" if me.profile.source else " (as told at the table)" if told else ""
    supposed = f"{'; ' if told else ''}{' and '.join(missing)} supposed" if missing else ""
    return f"{letter} {me.name or me.id}: {', '.join(told)}{source}{supposed}"


def _needed(me: Miniature) -> tuple[tuple[str, bool], ...]:
    return (("speed", me.profile.spd_in is not None), ("reach", bool(me.profile.melee)))


def _numbers(state: TableState, me: Miniature) -> list[str]:
    """Speed, weapons with their lengths, command range, abilities: as far as they are told."""
    card = me.profile
    told = [f"speed {card.spd_in:g}″"] if card.spd_in is not None else []
    told += [f"{weapon.name} reach {weapon.reach_in:g}″" for weapon in card.melee[:_MOST_WEAPONS]]
    told += [f"{gun.name} {_range(gun.rng_in)}" for gun in card.ranged[:_MOST_WEAPONS] if gun.rng_in is not None]
    unit = state.by_id.get(me.unit or "")
    command_in = unit.command_in if isinstance(unit, Unit) and unit.command_in is not None else card.cmd_in
    told += [f"command {command_in:g}″"] if command_in is not None else []
    return told + [ability.replace("-", " ") for ability in card.abilities]


def _range(rng_in: object) -> str:
    return f"{rng_in[0]:g}–{rng_in[1]:g}″" if isinstance(rng_in, tuple) else f"{rng_in:g}″"
