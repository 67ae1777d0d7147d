"""Type check: whether an expression fits together, what it gives, and which rules of its book it calls."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from models.book_language.declarations import (
    ABOUT_TYPES,
    EACH,
    ELEMENT,
    FREE_FUNCTIONS,
    FUNCTIONS,
    GROUPS,
    IS_A,
    Function,
    Type,
)
from models.book_language.syntax_tree import ExpressionFault, Node

MOST_WITHIN = 3  # groups within groups
QUANTITIES: tuple[Type, ...] = ("plain", "length", "angle", "number")
_ORDERED = (*QUANTITIES, "dice")
Signature = tuple[tuple[Type, ...], Type]
"""The types of a rule's parameters, and what it gives."""


@dataclass(frozen=True)
class Scope:
    """What names an expression may use: variables with their types, ranges, rules by signature, and tables."""

    variables: Mapping[str, Type]
    ranges: frozenset[str] = frozenset()
    rules: Mapping[str, Signature] = field(default_factory=dict)
    tables: Mapping[str, Type] = field(default_factory=dict)
    """Each table of the book with the type of its entries: plain or word."""

    def with_variable(self, name: str, type_: Type) -> "Scope":
        return Scope({**self.variables, name: type_}, self.ranges, self.rules, self.tables)


def names_in(node: Node) -> Iterator[str]:
    """Every name that an expression uses as a value or calls, as often as it does."""
    yield from (n.text for n in node.walk() if n.kind in ("name", "call"))


def type_of(node: Node, scope: Scope, depth: int = 0) -> Type:
    """The type of what an expression gives. Raises: ExpressionFault."""
    check = _CHECKS.get(node.kind)
    if check is not None:
        return check(node, [type_of(part, scope, depth) for part in node.parts])
    return _check_each(node, scope, depth) if node.kind == "each" else _check_named(node, scope, depth)


def is_a(type_: Type, wanted: Type) -> bool:
    """Whether a value of a type may stand where another is wanted."""
    return type_ == wanted or wanted in IS_A.get(type_, ())


def _expect(node: Node, type_: Type, wanted: Type) -> None:
    if not is_a(type_, wanted):
        raise ExpressionFault(f"{wanted} is wanted here ({ABOUT_TYPES[wanted]}), not {type_}", node.at)


def _check_number(node: Node, _: list[Type]) -> Type:
    return {"": "plain", "deg": "angle", "%": "number"}.get(node.text, "length")  # type: ignore[return-value]


def _check_if(node: Node, types: list[Type]) -> Type:
    _expect(node.parts[0], types[0], "condition")
    return _common(node, types[1], types[2])


def _common(node: Node, a: Type, b: Type) -> Type:
    """The one type that two values are of. Raises: ExpressionFault."""
    if is_a(a, b):
        return b
    if is_a(b, a):
        return a
    if a in ("thing", "place", "miniature") and b in ("thing", "place", "miniature"):
        return "place"
    raise ExpressionFault(f"{a} and {b} do not go together", node.at)


def _check_logic(node: Node, types: list[Type]) -> Type:
    for part, type_ in zip(node.parts, types, strict=True):
        _expect(part, type_, "event")
    return "event" if "event" in types else "condition"


def _check_comparison(node: Node, types: list[Type]) -> Type:
    left, right = types
    if node.text in ("==", "!="):
        if left == right == "word" or (is_a(left, "place") and is_a(right, "place")):
            return "condition"
        if {left, right} == {"word", "word-dice"}:
            return "event"
    for part, type_ in zip(node.parts, types, strict=True):
        if type_ not in _ORDERED:
            raise ExpressionFault(f"{type_} cannot be compared by {node.text}", part.at)
    if "dice" in types:
        return "event"
    _common(node, left, right)
    return "condition"


def _check_sum(node: Node, types: list[Type]) -> Type:
    for part, type_ in zip(node.parts, types, strict=True):
        if type_ not in _ORDERED:
            raise ExpressionFault(f"{type_} cannot be added or subtracted", part.at)
    return "dice" if "dice" in types else _common(node, *types)


def _check_product(node: Node, types: list[Type]) -> Type:
    left, right = types
    for part, type_ in zip(node.parts, types, strict=True):
        if type_ not in _ORDERED:
            raise ExpressionFault(f"{type_} cannot be multiplied or divided", part.at)
    if "dice" in types:
        if right == "dice" or left != "dice" or right not in ("plain", "number"):
            raise ExpressionFault("dice are multiplied or divided by a plain number, which stands behind them", node.at)
        return "dice"
    if node.text == "/" and left == right:
        return "number"
    free = [type_ for type_ in types if type_ not in ("plain", "number")]
    if len(free) == 2 or (node.text == "/" and right not in ("plain", "number")):
        raise ExpressionFault(f"{left} {node.text} {right} is no quantity", node.at)
    return free[0] if free else ("number" if "number" in types else "plain")


def _check_minus(node: Node, types: list[Type]) -> Type:
    if types[0] not in QUANTITIES:
        raise ExpressionFault(f"{types[0]} has no negative", node.at)
    return types[0]


_CHECKS = {
    "number": _check_number,
    "dice": lambda _, __: "dice",
    "word": lambda _, __: "word",
    "if": _check_if,
    "or": _check_logic,
    "and": _check_logic,
    "not": _check_logic,
    "compare": _check_comparison,
    "add": _check_sum,
    "multiply": _check_product,
    "minus": _check_minus,
}


def _check_each(node: Node, scope: Scope, depth: int) -> Type:
    if node.text not in EACH:
        raise ExpressionFault(f"there is no {node.text!r} over a group, only {', '.join(EACH)}", node.at)
    if depth >= MOST_WITHIN:
        raise ExpressionFault(f"more than {MOST_WITHIN} groups lie within each other", node.at)
    source = type_of(node.parts[0], scope, depth)
    if source not in ELEMENT:
        raise ExpressionFault(f"a group is wanted here, not {source}", node.parts[0].at)
    if node.variable in scope.variables or node.variable in scope.ranges or node.variable in scope.rules:
        raise ExpressionFault(f"{node.variable!r} is a name already", node.at)
    inner = scope.with_variable(node.variable, ELEMENT[source])
    if node.where is not None:
        _expect(node.where, type_of(node.where, inner, depth + 1), "condition")
    body = None if node.body is None else type_of(node.body, inner, depth + 1)
    return _each_type(node, body, source)


def _each_type(node: Node, body: Type | None, source: Type) -> Type:
    if node.text in ("count", "those") and node.body is None:
        return "number" if node.text == "count" else source
    if node.text == "those":
        raise ExpressionFault("those picks members by `where` alone: those(x in enemies where ...)", node.at)
    if node.body is None or body is None:
        shape = "by a value" if node.text in ("least", "greatest") else "for each member"
        raise ExpressionFault(f"{node.text} wants something {shape}", node.at)
    if node.text in ("any", "all", "count"):
        _expect(node.body, body, "condition")
        return "number" if node.text == "count" else "condition"
    if body not in QUANTITIES:
        raise ExpressionFault(f"{node.text} goes over quantities, not {body}", node.body.at)
    return ELEMENT[source] if node.text in ("least", "greatest") else body


def _check_named(node: Node, scope: Scope, depth: int) -> Type:
    """The type of a variable, a range, a group, a rule of the book, or a function."""
    name, given = node.text, [type_of(part, scope, depth) for part in node.parts]
    if node.kind == "name":
        if name in scope.variables:
            return scope.variables[name]
        if name in scope.ranges:
            return "length"
        if name in GROUPS:
            return _check_group(node, scope)
    if name in scope.rules:
        return _check_call(node, given, scope.rules[name])
    if name in FUNCTIONS:
        function = FUNCTIONS[name]
        return _check_call(node, given, (tuple(p.type for p in function.parameters), function.gives), function)
    if name in FREE_FUNCTIONS:
        return _FREE[name](node, given, scope)
    known = "no rule and no function" if node.kind == "call" else "nothing of this book and no word of the language"
    raise ExpressionFault(f"{name!r} is {known}", node.at)


def _check_group(node: Node, scope: Scope) -> Type:
    if node.text in ("enemies", "friends") and scope.variables.get("a") != "miniature":
        raise ExpressionFault(f"{node.text} are those of `a`, and there is none: write {node.text}(x)", node.at)
    return GROUPS[node.text][0]


def _check_call(node: Node, given: list[Type], signature: Signature, function: Function | None = None) -> Type:
    wanted, gives = signature
    least = len(wanted) if function is None else sum(not p.is_optional for p in function.parameters)
    if not least <= len(given) <= len(wanted):
        takes = f"{least} to {len(wanted)}" if least < len(wanted) else str(least)
        raise ExpressionFault(f"{node.text} takes {takes} values, not {len(given)}", node.at)
    for part, type_, want in zip(node.parts, given, wanted, strict=False):
        _expect(part, type_, want)
    return gives


def _check_extreme(node: Node, given: list[Type], _: Scope) -> Type:
    if len(given) < 2:
        raise ExpressionFault(f"{node.text} takes two values or more, or a value `for` each of a group", node.at)
    type_ = given[0]
    for part, other in zip(node.parts, given, strict=True):
        if other not in QUANTITIES:
            raise ExpressionFault(f"{node.text} goes over quantities, not {other}", part.at)
        type_ = _common(part, type_, other)
    return type_


def _check_best(node: Node, given: list[Type], _: Scope) -> Type:
    is_right = len(given) == 2 and node.parts[0].kind == "dice" and node.parts[1].kind == "number"
    if not is_right or node.parts[1].text or node.parts[1].number != int(node.parts[1].number):
        raise ExpressionFault("best takes dice and how many of them count, as best(3D6, 2)", node.at)
    if not 1 <= node.parts[1].number <= int(node.parts[0].text.partition("D")[0]):
        raise ExpressionFault("so many dice are not thrown", node.parts[1].at)
    return "dice"


def _check_look_up(node: Node, given: list[Type], scope: Scope) -> Type:
    if len(given) != 2 or node.parts[0].kind != "word":
        raise ExpressionFault(
            'look_up takes the name of a table in quotes, and a key: look_up("armour", kind(b))', node.at
        )
    table = node.parts[0].text
    if table not in scope.tables:
        raise ExpressionFault(
            f"there is no table {table!r}, only {', '.join(scope.tables) or 'none'}", node.parts[0].at
        )
    if given[1] not in ("word", "plain", "number", "dice"):
        raise ExpressionFault(f"a word, a number or dice are looked up, not {given[1]}", node.parts[1].at)
    if given[1] == "dice":
        return "word-dice" if scope.tables[table] == "word" else "dice"
    return scope.tables[table]


_FREE = {"min": _check_extreme, "max": _check_extreme, "best": _check_best, "look_up": _check_look_up}
