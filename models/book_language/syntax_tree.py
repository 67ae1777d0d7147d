"""Syntax tree: an expression of a written book, from its text by an LALR parser; every node knows where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from lark import Lark, Token, UnexpectedInput, v_args
from lark.exceptions import VisitError
from lark.visitors import Transformer_NonRecursive

from models.unit_conversion import MM_PER_INCH

MOST_LETTERS = 2_000
MOST_NODES = 400
MOST_DEPTH = 40
MM_PER_UNIT = {"in": MM_PER_INCH, "ft": 12 * MM_PER_INCH, "mm": 1.0, "cm": 10.0, "m": 1000.0}
_GRAMMAR = r"""
?start: expression
?expression: "if" expression "then" expression "else" expression -> choose
           | either
?either: both ("or" both)*
?both: negated ("and" negated)*
?negated: "not" negated -> negate
        | comparison
?comparison: sum (COMPARE sum)?
?sum: product (SIGN product)*
?product: signed (FACTOR signed)*
?signed: "-" signed -> minus
       | atom
?atom: NUMBER -> number
     | DICE -> dice
     | WORD -> word
     | NAME -> name
     | NAME "(" [expression ("," expression)*] ")" -> call
     | NAME "(" NAME "in" expression [where] [by] ")" -> select
     | NAME "(" expression "for" NAME "in" expression [where] ")" -> collect
     | "(" expression ")"
where: "where" expression
by: "by" expression
COMPARE: "<=" | ">=" | "==" | "!=" | "<" | ">"
SIGN: "+" | "-"
FACTOR: "*" | "/"
DICE.2: /[1-9]?[0-9]?D(2|3|4|6|8|10|12|20|100)(?![A-Za-z0-9_])/
NUMBER: /[0-9]{1,7}(\.[0-9]{1,6})?(\s*(in|ft|mm|cm|m|deg|%)(?![A-Za-z0-9_]))?/
NAME: /[a-z][a-z0-9_]{0,39}/
WORD: /"[^"\\\n]{0,80}"|'[^'\\\n]{0,80}'/
%import common.WS
%ignore WS
"""


class ExpressionFault(ValueError):
    """An expression that cannot be read or does not fit together; `at` counts characters from its first."""

    def __init__(self, says: str, at: int) -> None:
        super().__init__(says)
        self.at = at


@dataclass(frozen=True, slots=True)
class Node:
    """One step of an expression: `text` is its operator, name, word or unit, `number` a literal's value as written."""

    kind: str
    at: int
    end: int
    parts: tuple["Node", ...] = ()
    text: str = ""
    number: float = 0.0
    variable: str = ""
    """The name that a group's members go by."""
    body: "Node | None" = None
    where: "Node | None" = None
    depth: int = 1

    def children(self) -> tuple["Node", ...]:
        """All nodes right below it."""
        return (*self.parts, *(part for part in (self.body, self.where) if part is not None))

    def walk(self) -> Iterator["Node"]:
        """Itself, and every node below it."""
        yield self
        for child in self.children():
            yield from child.walk()


@lru_cache(maxsize=2048)
def parse_expression(text: str) -> Node:
    """The tree of an expression. Raises: ExpressionFault, saying at which character."""
    if len(text) > MOST_LETTERS:
        raise ExpressionFault(f"an expression of {len(text)} characters; at most {MOST_LETTERS}", 0)
    try:
        tree = _TreeBuilder().transform(_parser().parse(text))
    except UnexpectedInput as wrong:
        raise ExpressionFault(_describe_unexpected(wrong, text), _place_in(wrong, text)) from None
    except VisitError as wrong:
        if isinstance(wrong.orig_exc, ExpressionFault):
            raise wrong.orig_exc from None
        raise
    if sum(1 for _ in tree.walk()) > MOST_NODES:
        raise ExpressionFault(f"an expression of more than {MOST_NODES} steps", 0)
    return tree


def _place_in(wrong: UnexpectedInput, text: str) -> int:
    token, place = getattr(wrong, "token", None), wrong.pos_in_stream
    is_end = place is None or place < 0 or (isinstance(token, Token) and token.type == "$END")
    return len(text) if is_end else min(int(place or 0), len(text))


def _describe_unexpected(wrong: UnexpectedInput, text: str) -> str:
    at, token = _place_in(wrong, text), getattr(wrong, "token", None)
    seen = token.value if isinstance(token, Token) and token.type != "$END" else text[at : at + 1]
    return f"{seen[:20]!r} is not expected here" if seen.strip() else "the expression ends too soon"


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", propagate_positions=True)


@v_args(meta=True)
class _TreeBuilder(Transformer_NonRecursive[Token, Node]):
    """Nodes from the parser's rules, bottom up."""

    def number(self, meta: Any, children: list[Token]) -> Node:
        text = children[0].value
        digits = text.rstrip("%abcdefghijklmnopqrstuvwxyz \t\r\n")
        return _node("number", meta, text=text[len(digits) :].strip(), number=float(digits))

    def dice(self, meta: Any, children: list[Token]) -> Node:
        count, _, sides = children[0].value.partition("D")
        return _node("dice", meta, text=f"{count or 1}D{sides}")

    def word(self, meta: Any, children: list[Token]) -> Node:
        return _node("word", meta, text=children[0].value[1:-1])

    def name(self, meta: Any, children: list[Token]) -> Node:
        return _node("name", meta, text=children[0].value)

    def call(self, meta: Any, children: list[Any]) -> Node:
        parts = tuple(part for part in children[1:] if part is not None)
        return _node("call", meta, parts, text=children[0].value)

    def select(self, meta: Any, children: list[Any]) -> Node:
        function, variable, source, where, by = children
        return _node("each", meta, (source,), text=function.value, variable=variable.value, where=where, body=by)

    def collect(self, meta: Any, children: list[Any]) -> Node:
        function, body, variable, source, where = children
        return _node("each", meta, (source,), text=function.value, variable=variable.value, where=where, body=body)

    def where(self, meta: Any, children: list[Node]) -> Node:
        return children[0]

    def by(self, meta: Any, children: list[Node]) -> Node:
        return children[0]

    def choose(self, meta: Any, children: list[Node]) -> Node:
        return _node("if", meta, tuple(children))

    def either(self, meta: Any, children: list[Node]) -> Node:
        return _node("or", meta, tuple(children))

    def both(self, meta: Any, children: list[Node]) -> Node:
        return _node("and", meta, tuple(children))

    def negate(self, meta: Any, children: list[Node]) -> Node:
        return _node("not", meta, tuple(children))

    def minus(self, meta: Any, children: list[Node]) -> Node:
        return _node("minus", meta, tuple(children))

    def comparison(self, meta: Any, children: list[Any]) -> Node:
        left, operator, right = children
        return _node("compare", meta, (left, right), text=operator.value)

    def sum(self, meta: Any, children: list[Any]) -> Node:
        return _from_the_left("add", children)

    def product(self, meta: Any, children: list[Any]) -> Node:
        return _from_the_left("multiply", children)


def _from_the_left(kind: str, children: list[Any]) -> Node:
    node: Node = children[0]
    for operator, right in zip(children[1::2], children[2::2], strict=True):
        depth = _depth((node, right), node.at)
        node = Node(kind, node.at, right.end, (node, right), text=operator.value, depth=depth)
    return node


def _node(kind: str, meta: Any, parts: tuple[Node, ...] = (), **fields: Any) -> Node:
    below = (*parts, *(part for part in (fields.get("body"), fields.get("where")) if part is not None))
    return Node(kind, meta.start_pos, meta.end_pos, parts, depth=_depth(below, meta.start_pos), **fields)


def _depth(below: tuple[Node, ...], at: int) -> int:
    depth = 1 + max((part.depth for part in below), default=0)
    if depth > MOST_DEPTH:
        raise ExpressionFault(f"more than {MOST_DEPTH} steps lie within each other", at)
    return depth
