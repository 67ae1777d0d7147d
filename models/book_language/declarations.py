"""Declarations: the types of the book language, its functions and its groups, each with what it gives in words.

The type check, the referee and the reference page of the language take them from here.
"""

from typing import Literal, NamedTuple

Type = Literal[
    "plain", "length", "angle", "number", "condition", "event", "word", "place", "thing", "miniature", "miniatures",
    "things", "targets", "dice", "word-dice",
]  # fmt: skip
ParameterType = Literal["miniature", "thing", "place"]
ABOUT_TYPES: dict[Type, str] = {
    "plain": "a number without a unit: inches, degrees or a count, as what it meets is",
    "length": "a length: `6 in`, `1 ft`, `25 mm`, `3 cm`, `1.8 m`",
    "angle": "an angle: `90 deg`",
    "number": "a count or a share: `50 %` is 0.5",
    "condition": "yes or no, with its margin",
    "event": "a condition that dice decide, with its chance",
    "word": 'a word in quotes: `"forest"`',
    "place": "anything that one measures from: a thing or a point",
    "thing": "terrain, an effect, an objective, a zone, a unit or a miniature",
    "miniature": "a miniature",
    "miniatures": "several miniatures",
    "things": "several things",
    "targets": "where a move ends: at a place, or at all of several things",
    "dice": "the total of dice, with the chance of each: `2D6`",
    "word-dice": "a word that dice pick from a table",
}
IS_A: dict[Type, tuple[Type, ...]] = {
    "miniature": ("thing", "place", "targets"),
    "thing": ("place", "targets"),
    "place": ("targets",),
    "plain": ("length", "angle", "number"),
    "miniatures": ("things", "targets"),
    "things": ("targets",),
    "condition": ("event",),
}
"""What else a value of a type may stand for."""
ELEMENT: dict[Type, Type] = {"miniatures": "miniature", "things": "thing"}


class Parameter(NamedTuple):
    """What a function takes: its name, its type, and whether it may be left out."""

    name: str
    type: Type
    is_optional: bool = False


class Function(NamedTuple):
    """A function of the language; `steps` is how many of an expression's steps it counts for."""

    name: str
    parameters: tuple[Parameter, ...]
    gives: Type
    about: str
    steps: int = 1

    def signature(self) -> str:
        """The call as one writes it, what may be left out in brackets."""
        required = ", ".join(p.name for p in self.parameters if not p.is_optional)
        optional = "".join(f"[, {p.name}]" for p in self.parameters if p.is_optional)
        return f"{self.name}({required}{optional})"


def _declare(signature: str, gives: Type, about: str, steps: int = 1) -> Function:
    """A function from a short signature, as `in_arc(a: miniature, b: place, width: angle?)`."""
    name, _, inner = signature.rstrip(")").partition("(")
    parameters = []
    for part in filter(None, inner.split(", ")):
        parameter, _, type_ = part.partition(": ")
        parameters.append(Parameter(parameter, type_.rstrip("?"), type_.endswith("?")))  # type: ignore[arg-type]
    return Function(name, tuple(parameters), gives, about, steps)


STATS = ("strength", "defence", "bs", "ld", "wounds", "unit_strength", "control_stat")
"""Numbers of a card that are no lengths, as `Profile` names them."""
_ALL = (
    _declare("distance(a: place, b: place)", "length", "how far apart they are, as the settings of the book measure"),
    _declare("middle_distance(a: place, b: place)", "length", "from middle to middle, seen from above"),
    _declare("farthest(a: place, b: miniature)", "length", "from `a` to the farthest point of `b`'s base"),
    _declare("gap(a: place, b: place)", "length", "edge to edge seen from above; negative where they overlap"),
    _declare(
        "line_distance(a: place, b: place, c: place)", "length", "from `a` to the line of the middles of `b` and `c`"
    ),
    _declare("height_gap(a: miniature, b: miniature)", "length", "the height between the two bodies; 0 on one level"),
    _declare("ground(a: miniature)", "length", "the height of the ground that it stands on"),
    _declare("top(a: miniature)", "length", "the height of the top of its body"),
    _declare("base_width(a: miniature)", "length", "the diameter of its base; of a base that is not round its width"),
    _declare("depth(a: place, area: thing)", "length", "how deep `a` reaches into the area; negative outside it"),
    _declare("x_of(a: place)", "length", "how far its middle lies from the left edge of the table"),
    _declare("y_of(a: place)", "length", "how far its middle lies from the near edge of the table"),
    _declare("point(x: length, y: length)", "place", "the point so far from the left and from the near edge"),
    _declare("middle(a: place)", "place", "its middle, as a point"),
    _declare("thing(id: word)", "thing", "what has this id on the table: terrain, an objective, a zone"),
    _declare("edge(side: word)", "place", "an edge of the table: near, far, left or right"),
    _declare("table_width()", "length", "how wide the table is, from left to right"),
    _declare("table_depth()", "length", "how deep the table is, from near to far"),
    _declare(
        "within(a: place, b: place, limit: length)",
        "condition",
        "no farther apart than the limit, by the settings of the book",
        2,
    ),
    _declare("in_area(a: place, area: thing)", "condition", "part of it lies in the area; touching counts"),
    _declare("wholly_in(a: miniature, area: thing)", "condition", "all of its base lies in the area"),
    _declare(
        "touches(a: miniature, b: place)",
        "condition",
        "they touch, as told or by the table's tolerance",
    ),
    _declare(
        "in_arc(a: miniature, b: place, width: angle?, turned: angle?)",
        "condition",
        "`b` lies in an arc of `a` so wide, turned anticlockwise from its facing",
        2,
    ),
    _declare(
        "bearing(a: miniature, b: place)",
        "angle",
        "from the facing of `a` to the middle of `b`, at most 180",
    ),
    _declare("sees(a: miniature, b: miniature)", "condition", "a line is clear, by the settings of the book", 50),
    _declare(
        "hidden_share(a: place, b: miniature, by: things?)",
        "number",
        "the share of `b`'s base hidden from the middle of `a`, by those things or by terrain",
        10,
    ),
    _declare(
        "crosses(a: place, b: place, area: thing)",
        "condition",
        "the line of their middles passes through it",
        2,
    ),
    _declare("covered(a: miniature, b: miniature)", "condition", "`b` has cover from `a`, by the settings", 20),
    _declare(
        "way(a: miniature, to: targets, near: length?)",
        "length",
        "how far `a` goes straight until it touches all of `to`, or is so near; rough ground as the settings say",
        10,
    ),
    _declare(
        "free_way(a: miniature, to: targets, near: length?)",
        "condition",
        "nothing bars that way, and it stays on the table",
        20,
    ),
    _declare("speed(a: miniature)", "length", "the speed on its card"),
    _declare("command(a: miniature)", "length", "the command range on its card"),
    _declare("reach(a: miniature)", "length", "the longest reach of the melee weapons on its card"),
    _declare("shot(a: miniature)", "length", "the longest range of the ranged weapons on its card"),
    _declare("moved(a: miniature)", "length", "how far it has gone this turn, as the state tells it"),
    _declare("stat(a: miniature, what: word)", "number", "a number of its card: " + ", ".join(STATS)),
    _declare("kind(a: thing)", "word", "the kind of terrain, effect, objective or zone; the type of a miniature"),
    _declare("side(a: thing)", "word", 'whose it is; `""` where it is nobody\'s'),
    _declare("name(a: thing)", "word", "its name, else its id"),
    _declare(
        "has(a: miniature, what: word)",
        "condition",
        "an ability on its card, its role (`standard`, `officer` ...) or its status is called this",
    ),
    _declare("enemies(a: miniature)", "miniatures", "all in play that are no friends of it"),
    _declare("friends(a: miniature)", "miniatures", "all in play of its side and its allies, without itself"),
    _declare("unit(a: miniature)", "miniatures", "all in play of its unit, with itself; else itself alone"),
    _declare("phase()", "word", "the phase of the turn, as the state tells it"),
    _declare("scenario()", "word", "the name of the scenario, as the state tells it"),
    _declare("round()", "number", "the round of the game, as the state tells it"),
    _declare("active()", "word", "the side whose turn it is, as the state tells it"),
    _declare("abs(x: length)", "length", "the length without its sign"),
    _declare("inches(x: length)", "number", "how many inches it is"),
    _declare("whole(x: number)", "number", "rounded down to a whole number"),
    _declare("whole_up(x: number)", "number", "rounded up to a whole number"),
    _declare("chance(e: event)", "number", "how probable the event is, from 0 to 1"),
    _declare("highest(d: dice)", "number", "the highest total of the dice"),
    _declare("lowest(d: dice)", "number", "the lowest total of the dice"),
    _declare("mean(d: dice)", "number", "the mean total of the dice"),
)
FUNCTIONS: dict[str, Function] = {function.name: function for function in _ALL}
FREE_FUNCTIONS = {
    "min": "the least of several values, or of one value of every member of a group",
    "max": "the greatest of them",
    "best": "`best(3D6, 2)`: the total of the two highest of three dice",
    "look_up": '`look_up("armour", key)`: what the book\'s table of that name has for a word, a number or a roll',
}
"""Functions whose types hang on what they are given."""
EACH = {
    "those": "the members for which what stands after `where` holds, as a group",
    "count": "how many members there are, or for how many what stands before `for` holds",
    "any": "whether it holds for one of them",
    "all": "whether it holds for every one of them",
    "sum": "the sum of a value over all of them",
    "min": "the least value of all of them",
    "max": "the greatest value of all of them",
    "least": "the member with the least value after `by`",
    "greatest": "the member with the greatest value after `by`",
}
"""What goes over a group: `count(x in enemies where sees(a, x))`, `min(distance(a, x) for x in enemies)`."""
GROUPS: dict[str, tuple[Type, str]] = {
    "miniatures": ("miniatures", "every miniature in play"),
    "enemies": ("miniatures", "the enemies of `a`"),
    "friends": ("miniatures", "the friends of `a`, without itself"),
    "terrain": ("things", "every piece of terrain"),
    "effects": ("things", "every cloud, template and marker"),
    "objectives": ("things", "every objective"),
    "zones": ("things", "every zone"),
}
KEYWORDS = ("if", "then", "else", "and", "or", "not", "for", "in", "where", "by")
RESERVED = {*KEYWORDS, *FUNCTIONS, *FREE_FUNCTIONS, *EACH, *GROUPS}
