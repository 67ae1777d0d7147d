"""Measuring licences: what may be measured now, and how much of it is disclosed."""

from collections.abc import Callable
from typing import Any

from models.miniature import Miniature
from models.queries import MayMeasure, ThreatRange
from models.queries.base import BaseQuery
from models.turn import Declaration
from models.unit import Unit
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.melee.melee_range import weapon_reaches
from referee.editions.warmachine.miniatures.base_state import commander_of
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.licence import Licence
from referee.rules.rule_result import RuleResult

_OPEN = because("Measuring Distances", "It may be measured now, no farther than what it is made for, for both to see.")
_SHUT = because("Measuring Distances", "No rule grants this measurement now.")
EDGE_MM = 1e-6
_SHOTS = frozenset({"ranged-attack", "ability"})
_BLOWS = frozenset({"melee-attack", "push", "power-attack", "charge", "slam", "trample"})
_RUSHES = frozenset({"charge", "slam", "trample"})
_ATTACKS = _SHOTS | _BLOWS | {"spell", "throw"}

# What is no distance, or was agreed before the game: nothing is measured, nothing has to be licensed.
_NOTHING_MEASURED = frozenset(
    {"may-move", "terrain-class", "structure-capacity", "entryway", "lock", "may-shoot", "aim", "stand-up"}
)  # fmt: skip
# What eyes tell as well: of what is not so, only that it is not, for how much is missing would be a distance.
_SEEN = frozenset({"b2b", "in-area", "elevation", "water"})
_SIGHT = frozenset({"los", "intervening", "in-front-arc", "in-back-arc", "arc", "directly-facing"})
_AT_RESOLUTION = frozenset(
    {"cover", "trench", "elevation-bonus", "melee-terrain-bonus", "back-strike", "in-melee-penalty", "in-melee-group",
     "attack-modifiers", "damage-arc", "stealth", "shield-wall"}
)  # fmt: skip
_TEMPLATES = frozenset({"template-hits", "deviation", "spray-hits"})
_MOVES = frozenset(
    {"move", "cross-obstacle", "climb", "toward-away", "regroup-move", "fits-between", "table-edge", "enters-area",
     "placement"}
)  # fmt: skip
_TRIGGERED = frozenset(
    {"frenzy", "morale-check", "nearest", "promotion", "flee", "fall", "least-disturbance", "take-control", "rollback",
     "replacement", "structure-collapse"}
)  # fmt: skip
_SET_UP = frozenset({"deployment", "zone-separation", "terrain-placement"})
_ADVICE = {
    "own-melee-range": "Each player may measure the melee range of his own models at any time.",
    "own-control-area": "Measure from your own warcaster or warlock to a point of its control area, at any time.",
    "own-unit": "Activate the unit: from its commander to its models one measures while it is active.",
    "declared-attack": "Name attack and target first; then it is measured, up to its range.",
    "declared-spell": "Pay for the spell and name its target first; then it is measured, up to its range.",
    "declared-charge": "Declare it, its target and its direction first; the way is measured as it is gone.",
    "move-under-way": "Declare the move first; its way is measured as it is gone.",
    "declared-throw": "Name the direction, or the model aimed at, first; then the throw is measured.",
    "template-resolution": "Declare the attack first; templates are laid and measured when it is resolved.",
    "attack-resolution": "Declare the attack first; what changes its roll is measured when it is resolved.",
    "triggered-check": "It is measured when its rule comes into play; tell that by declaring a check.",
    "set-up": "Deployment and terrain are measured before the first turn.",
    "sight": "Sight may be checked once an attack is declared.",
}


def may_measure(table: ExactTable, query: MayMeasure) -> RuleResult:
    """Measuring policy: whether that question may be asked now, under which licence, and what both players are told.

    Source: as above.
    """
    inner = query.query if query.query.asked_by else query.query.model_copy(update={"asked_by": query.asked_by})
    granted = licence(table, inner)
    both = [side.id for side in table.state.sides] or ["red", "blue"]
    if granted is None:
        free = {"licence": "free", "disclosed": "figures", "cap_mm": None}
        return RuleResult(margin_mm=CAPPED_MM, value={**free, "tell": [*both]}, because=(_OPEN,))
    value = {"licence": granted.name, "disclosed": granted.disclosed, "cap_mm": granted.cap_mm}
    return RuleResult(
        margin_mm=CAPPED_MM if granted.is_open else -CAPPED_MM,
        value={**value, "tell": [*both]} if granted.is_open else {"licence": granted.name, "tell": [*both]},
        because=(_OPEN if granted.is_open else _SHUT,),
        unlock=granted.unlock,
        advice=granted.advice,
    )


def licence(table: ExactTable, query: BaseQuery) -> Licence | None:
    """The licence a question falls under; None where nothing is measured, or the table lets everything be measured."""
    kind = str(getattr(query, "kind", ""))
    if table.reading("measure-policy") == "allow" or kind in _NOTHING_MEASURED or isinstance(query, MayMeasure):
        return None
    if isinstance(query, ThreatRange) and query.target is None:  # the card alone tells
        return None
    turn = table.state.turn
    if turn is not None and turn.phase == "set-up":
        return Licence("set-up")
    return _Question(table, query, kind).licence()


class _Question:
    """One question, who asks it, and what has been declared."""

    def __init__(self, table: ExactTable, query: Any, kind: str) -> None:
        self.table, self.query, self.kind = table, query, kind
        turn = table.state.turn
        self.declared: Declaration | None = None if turn is None else turn.declared
        self.activating = None if turn is None else turn.activating
        self.side: str | None = query.asked_by or (None if turn is None else turn.active)

    def licence(self) -> Licence:
        """Source: the table of licences; the rules they come from stand with each."""
        groups: tuple[tuple[frozenset[str], Callable[[], Licence]], ...] = (
            (_SIGHT, self._of_sight),
            (_SEEN, lambda: Licence("sight", only_within=True)),
            (frozenset({"bases-clear"}), lambda: Licence("sight", disclosed="verdict")),
            (_AT_RESOLUTION, lambda: self._after_declaration("attack-resolution", _ATTACKS)),
            (_TEMPLATES, lambda: self._after_declaration("template-resolution", _ATTACKS)),
            (_MOVES, self._of_move),
            (_TRIGGERED, lambda: self._after_declaration("triggered-check", _ATTACKS | {"check", "move"})),
            (_SET_UP, lambda: _closed_licence("set-up")),
            (frozenset({"charge", "slam", "trample", "impact-attacks"}), self._of_rush),
            (frozenset({"charge-unit"}), self._of_unit_charge),
            (frozenset({"range", "combined-ranged", "structure-target"}), self._of_shot),
            (frozenset({"spell-target", "channel"}), self._of_spell),
            (frozenset({"melee-range", "engaged", "combined-melee"}), self._of_reach),
            (frozenset({"formation", "command-range"}), self._of_unit),
        )
        for kinds, grant in groups:
            if self.kind in kinds:
                return grant()
        alone = {
            "target-legal": self._of_target, "power-attack": self._of_power_attack, "throw": self._of_throw,
            "push": self._of_push, "in-melee": lambda: Licence("own-melee-range", only_within=True),
            "free-strike": self._of_free_strike, "control-area": self._of_control, "threat-range": self._of_threat,
        }  # fmt: skip
        return alone[self.kind]() if self.kind in alone else self._of_bare_distance()

    # Source: Line of Sight, which nothing forbids to check; no figures come with it.
    def _of_sight(self) -> Licence:
        if self.table.reading("los-check") == "licensed" and not self._is_declared(_ATTACKS | {"move"}):
            return _closed_licence("sight")
        return Licence("sight", disclosed="verdict")

    def _is_declared(self, kinds: frozenset[str]) -> bool:
        return self.declared is not None and self.declared.what in kinds

    def _is_declared_by(self, *ids: str | None) -> bool:
        """Whether one of these, or its unit, has declared it."""
        if self.declared is None:
            return False
        doers = {self.declared.by, *self.declared.participants}
        units = {self.table.miniature(i).unit for i in ids if i in self.table.miniatures}
        return bool(doers & {*ids, *units})

    def _is_declared_at(self, target: object) -> bool:
        return self.declared is not None and self.declared.target in (None, target)

    def _after_declaration(self, name: str, kinds: frozenset[str]) -> Licence:
        return Licence(name) if self._is_declared(kinds) else _closed_licence(name)

    # Source: Measuring Movement.
    def _of_move(self) -> Licence:
        mover = getattr(self.query, "mover", None)
        moving = self._is_declared(
            frozenset({"move", *_RUSHES, "throw", "push", "spell", "check"})
        ) and self._is_declared_by(mover)
        placed = self.kind in ("placement", "enters-area", "table-edge") and self._is_declared(_ATTACKS)
        return Licence("move-under-way") if moving or placed else _closed_licence("move-under-way")

    # Source: Charge; Slam; Trample.
    def _of_rush(self) -> Licence:
        if self._is_declared(_RUSHES | {"check"}) and self._is_declared_by(self.query.attacker):
            return Licence("declared-charge")
        declares = self.kind == "charge" and ("step" not in self.query.model_fields_set or self.query.step == "declare")
        return Licence("sight", disclosed="verdict") if declares else _closed_licence("declared-charge")

    # Source: Charge; Unit Formation: as the unit moves, and from its commander while it is active.
    def _of_unit_charge(self) -> Licence:
        members = [m.id for m in self.table.state.miniatures if m.unit == self.query.unit]
        charging = self._is_declared(_RUSHES | {"move"}) and self._is_declared_by(self.query.unit, *members)
        return Licence("declared-charge") if charging else self._of_own_unit(self.query.unit)

    # Source: Measuring Range; Charge: nothing is measured before it is declared.
    def _of_threat(self) -> Licence:
        declared = self._is_declared(_ATTACKS | _RUSHES) and self._is_declared_by(self.query.attacker)
        if declared and self._is_declared_at(self.query.target):
            return Licence("declared-attack", only_within=True)
        return _closed_licence("declared-attack")

    # Source: Measuring Range; Combined Ranged Attacks.
    def _of_shot(self) -> Licence:
        attacker = getattr(self.query, "attacker", None) or self.query.primary
        stat = getattr(self.query, "stat", None)
        if stat == "control":
            return self._of_own_area(attacker)
        if stat == "command":
            return self._of_own_unit(self.query.target)
        if not (
            self._is_declared(_SHOTS | _BLOWS)
            and self._is_declared_by(attacker)
            and self._is_declared_at(self.query.target)
        ):
            return _closed_licence("declared-attack")
        asked_in, cap = getattr(self.query, "range_in", None), self._cap_mm(attacker)
        if asked_in is not None and cap is not None and inches(asked_in) > cap + EDGE_MM:
            return _closed_licence("declared-attack")
        return Licence("declared-attack", cap_mm=cap, only_within=self.kind != "combined-ranged")

    def _cap_mm(self, attacker: str) -> float | None:
        """The range that was declared, else that of the weapon, else what is asked."""
        declared = None if self.declared is None else self.declared.range_in
        if declared is not None:
            return inches(declared)
        asked = getattr(self.query, "range_in", None)
        name = getattr(self.query, "weapon", None) or (None if self.declared is None else self.declared.weapon)
        guns = [w.rng_in for w in self.table.miniature(attacker).profile.ranged if name in (None, w.name)]
        lengths = [g if isinstance(g, float | int) else g[1] for g in guns if g is not None]
        longest = max(lengths, default=asked)
        return None if longest is None else inches(longest)

    # Source: Measuring the Range of a Spell; Channeling.
    def _of_spell(self) -> Licence:
        if self._is_declared(frozenset({"spell", "ability"})) and self._is_declared_by(self.query.caster):
            range_in = self.declared.range_in if self.declared is not None else None
            cap = None if range_in is None else inches(range_in)
            return Licence("declared-spell", cap_mm=cap, only_within=self.kind == "spell-target")
        return _closed_licence("declared-spell")

    # Source: Melee Range and Engaging: one's own, at any time.
    def _of_reach(self) -> Licence:
        attacker = getattr(self.query, "attacker", None) or self.query.primary
        if self._is_own(attacker) or (self._is_declared(_BLOWS) and self._is_declared_by(attacker)):
            asked_in, cap = getattr(self.query, "reach_in", None), self._reach_mm(attacker)
            if asked_in is not None and cap is not None and inches(asked_in) > cap + EDGE_MM:
                return _closed_licence("own-melee-range")
            return Licence("own-melee-range", cap_mm=cap, only_within=True)
        return _closed_licence("own-melee-range")

    def _reach_mm(self, attacker: str) -> float | None:
        """The reach that is asked about, and no longer than its card tells."""
        asked_in = getattr(self.query, "reach_in", None)
        longest = max(weapon_reaches(self.table.miniature(attacker)).values(), default=None)
        return longest if asked_in is None else inches(asked_in) if longest is None else min(inches(asked_in), longest)

    def _is_own(self, id_: object) -> bool:
        thing = self.table.state.by_id.get(id_) if isinstance(id_, str) else None
        side = thing.side if isinstance(thing, Miniature) else None
        if isinstance(thing, Unit):
            side = thing.side or next((m.side for m in self.table.state.miniatures if m.unit == thing.id), None)
        return self.side is not None and side == self.side

    # Source: Unit Formation: from the commander, while the unit is active.
    def _of_unit(self) -> Licence:
        if self.kind == "formation":
            return self._of_own_unit(self.query.unit)
        commander = self.query.commander
        own = self.table.miniature(self.query.who).unit
        if any(u.id == own and commander_of(self.table, u) == commander for u in self.table.state.units):
            return self._of_own_unit(self.query.who)
        return self._after_declaration("triggered-check", frozenset({"check"}))

    def _of_own_unit(self, id_: str) -> Licence:
        unit = self.table.miniature(id_).unit if id_ in self.table.miniatures else id_
        members = {m.id for m in self.table.state.miniatures if m.unit == unit}
        if self._is_own(id_) and self.activating is not None and self.activating in {unit, *members}:
            return Licence("own-unit", only_within=True)
        return _closed_licence("own-unit")

    # Source: Measuring Control Areas: one's own, at any time and for any reason.
    def _of_control(self) -> Licence:
        return self._of_own_area(self.query.caster)

    def _of_own_area(self, caster: object) -> Licence:
        if not self._is_own(caster) or not isinstance(caster, str) or caster not in self.table.miniatures:
            return _closed_licence("own-control-area")
        stat = self.table.miniature(caster).profile.control_stat
        beyond = self.table.reading("measure-beyond") == "outside-only"
        cap = inches(2 * stat) if stat is not None and beyond else None
        asked_in = getattr(self.query, "range_in", None)
        if asked_in is not None and cap is not None and inches(asked_in) > cap + EDGE_MM:
            return _closed_licence("own-control-area")
        return Licence("own-control-area", cap_mm=cap, only_within=beyond)

    def _of_target(self) -> Licence:
        """Of a blow the reach is measured; of a shot sight and standing tell, and no figure comes with them."""
        return self._of_reach() if self.query.attack == "melee" else self._of_sight()

    def _of_power_attack(self) -> Licence:
        return self._of_rush() if self.query.attack == "trample" else self._of_reach()

    # Source: Being Thrown; Double-Hand Throw.
    def _of_throw(self) -> Licence:
        opened = self._is_declared(frozenset({"throw", "power-attack"})) and self._is_declared_by(self.query.attacker)
        return Licence("declared-throw") if opened else _closed_licence("declared-throw")

    def _of_push(self) -> Licence:
        return self._after_declaration("attack-resolution", _ATTACKS)

    # Source: Free Strikes: found as the move is made; and one's own melee range at any time.
    def _of_free_strike(self) -> Licence:
        if self.declared is not None and self._is_declared_by(self.query.mover):
            return Licence("move-under-way")
        mine = self.side is not None and not self._is_own(self.query.mover)
        return Licence("own-melee-range") if mine else _closed_licence("move-under-way")

    def _of_bare_distance(self) -> Licence:
        """Bare distances: only from an own warlock within its control area, or when a rule has been triggered."""
        source = getattr(self.query, "a", None) or getattr(self.query, "source", None)
        warlock = self.table.miniatures.get(source) if isinstance(source, str) else None
        if warlock is not None and self._is_own(source) and warlock.profile.control_stat is not None:
            return self._of_own_area(source)
        granted = self._after_declaration("triggered-check", frozenset({"check"}))
        return granted if granted.is_open else _closed_licence("own-control-area")


def _closed_licence(name: str) -> Licence:
    return Licence(name, unlock=name, advice=_ADVICE[name])
