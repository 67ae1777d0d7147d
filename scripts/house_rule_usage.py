"""Which house rules a rule may turn on: those it names, itself or through the functions it calls."""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import ModuleType
from typing import Any

from models.house_rules import HOUSE_RULES
from models.vocabulary import EditionId
from referee import EDITIONS
from referee.rules.edition import Edition


def readings_of(rule: Callable[..., Any], edition: Edition) -> tuple[str, ...]:
    """The keys of the house rules that stand in the code a rule runs, in the order in which they are declared.

    What it looks up in the terms of the edition, or asks as another question, is followed too.
    """
    return _readings(rule, edition.id)


@cache
def _readings(rule: Callable[..., Any], id_: EditionId) -> tuple[str, ...]:
    found = {key for place in _reachable_names(rule, id_) for key in _keys(*place)}
    return tuple(key for key in HOUSE_RULES if key in found and id_ in HOUSE_RULES[key].defaults)


def terms_of(rule: Callable[..., Any], edition: Edition) -> tuple[str, ...]:
    """The terms of its family that a rule looks up, itself or through the functions it calls."""
    if not is_dataclass(edition.terms):
        return ()
    known = [field.name for field in fields(edition.terms)]
    found = {name for place in _reachable_names(rule, edition.id) for name in _attributes(*place)}
    return tuple(name for name in known if name in found)


def _attributes(module: str, name: str) -> frozenset[str]:
    words = _words_of(module, name)
    return words.attributes if "terms_of" in words.names else frozenset()


@cache
def _reachable_names(rule: Callable[..., Any], id_: EditionId) -> frozenset[tuple[str, str]]:
    """The functions, classes and constants of the referee that a rule runs through, by module and name."""
    edition = EDITIONS[id_]
    seen: set[tuple[str, str]] = set()
    open_ = [(rule.__module__, rule.__name__)]
    while open_:
        place = open_.pop()
        if place not in seen:
            seen.add(place)
            open_ += _referenced_names(*place, edition)
    return frozenset(seen)


def _keys(module: str, name: str) -> frozenset[str]:
    return _words_of(module, name).texts & HOUSE_RULES.keys()


def _referenced_names(module: str, name: str, edition: Edition) -> Iterator[tuple[str, str]]:
    """Every function, class and constant of the referee that this one names."""
    words = _words_of(module, name)
    asks = "evaluate_query" in words.attributes
    asked = [_module_of(module).__dict__.get(one) for one in words.names] if asks else []
    rules = [edition.rules[one] for one in asked if isinstance(one, type) and one in edition.rules]
    for rule in (*rules, *(getattr(edition.terms, one, None) for one in words.attributes)):
        if inspect.isfunction(rule):
            yield rule.__module__, rule.__name__
    for used in words.names:
        if used in _definitions(module):
            yield module, used
        elif (home := getattr(_module_of(module).__dict__.get(used), "__module__", "")) and home.startswith("referee."):
            yield home, used


@dataclass(frozen=True)
class _Words:
    """The names, attributes and texts that a piece of code holds."""

    names: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()


@cache
def _words_of(module: str, name: str) -> _Words:
    """Of what stands under this name at the top level of the module; none where nothing does."""
    node = _definitions(module).get(name)
    nodes = list(ast.walk(node)) if node is not None else []
    texts = (n.value for n in nodes if isinstance(n, ast.Constant))
    return _Words(
        frozenset(n.id for n in nodes if isinstance(n, ast.Name)),
        frozenset(n.attr for n in nodes if isinstance(n, ast.Attribute)),
        frozenset(text for text in texts if isinstance(text, str)),
    )


@cache
def _definitions(module: str) -> dict[str, ast.AST]:
    """What stands at the top level of a module, by name."""
    found: dict[str, ast.AST] = {}
    for node in ast.parse(inspect.getsource(_module_of(module))).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            found |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    return found


def _module_of(module: str) -> ModuleType:
    return sys.modules[module]
