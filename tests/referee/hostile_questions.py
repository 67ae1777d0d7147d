"""Hostile questions: every field of every question of a book, with values of the right shape that nobody would mean."""

import random
import types
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from models.errors import BadInput
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from referee import EDITIONS, ask

NUMBERS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-9,
    -1e-9,
    0.5,
    2.0,
    3.0,
    4.0,
    7.0,
    11.0,
    30.0,
    90.0,
    359.0,
    721.0,
    1e4,
    1e9,
    -1e9,
    1e14,
)
COUNTS = (-1, 0, 1, 2, 3, 4, 5, 6, 7, 10, 12, 18, 36, 1000, 10**9)
_LEFT_OUT = 0.5  # how often a field that may be left out is


def hostile_query(r: random.Random, cls: type[BaseQuery], state: TableState) -> dict[str, Any]:
    """A question of this kind about things of that table, as it comes in."""
    told = {"kind": cls.model_fields["kind"].default}
    for name, field in cls.model_fields.items():
        if name not in ("kind", "asked_by") and (field.is_required() or r.random() > _LEFT_OUT):
            told[name] = _value(r, field.annotation, state, is_name=name in cls.PLACES)
    return told


def _value(r: random.Random, type_: Any, state: TableState, *, is_name: bool = False) -> Any:
    """Some value of that shape."""
    origin, parts = get_origin(type_), get_args(type_)
    if origin is Literal:
        return r.choice(parts)
    if origin in (Union, types.UnionType):
        return _value(r, r.choice(parts), state, is_name=is_name)
    if origin is tuple:
        wanted = parts[:1] * r.randint(0, 3) if parts[-1] is Ellipsis else parts
        return [_value(r, one, state, is_name=is_name) for one in wanted]
    if hasattr(type_, "__metadata__"):
        return _value(r, parts[0], state, is_name=is_name)
    if isinstance(type_, type) and issubclass(type_, BaseModel):
        chosen = (
            (name, one) for name, one in type_.model_fields.items() if one.is_required() or r.random() > _LEFT_OUT
        )
        return {name: _value(r, one.annotation, state) for name, one in chosen}
    if type_ is bool:
        return r.random() < 0.5
    if type_ is int:
        return r.choice(COUNTS)
    if type_ is float:
        return r.choice(NUMBERS) if r.random() < 0.7 else r.uniform(-50, 1900)
    if type_ is str:
        return _name(r, state) if is_name or r.random() < 0.7 else r.choice(("bow", "", "x"))
    return None


def _name(r: random.Random, state: TableState) -> str:
    players = state.units if EDITIONS[state.edition].plays_units else state.miniatures
    usual = [one.id for one in players]
    return r.choice(usual if usual and r.random() < 0.7 else [*state.by_id, "edge:near", "nobody"])


def kinds_of(edition: str) -> list[type[BaseQuery]]:
    """Every question that a book answers."""
    return sorted(EDITIONS[edition].rules, key=lambda cls: cls.__name__)


def outcome(state: TableState, raw: dict[str, Any]) -> Verdict | BadInput:
    """The answer, or why there is none. Whatever else is raised is a fault."""
    try:
        return ask(state, parse_query(raw))
    except BadInput as refused:
        return refused


def find_faults(edition: str, states: list[TableState], seeds: range) -> Iterator[tuple[dict[str, Any], str]]:
    """The questions that end in something else than an answer or a refusal, and in what."""
    kinds = kinds_of(edition)
    for seed in seeds:
        r = random.Random(seed)
        state = r.choice(states)
        raw = hostile_query(r, kinds[seed % len(kinds)], state)
        try:
            told = outcome(state, raw)
            if isinstance(told, Verdict):
                told.model_dump_json()
        except Exception as fault:
            yield raw, f"{type(fault).__name__}: {fault}"
