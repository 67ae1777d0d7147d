"""Unit questions: what players ask about two units, in which words, and when the answer matters."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from api.answers.pair_questions import QuestionLine, has_modifiers, is_met_or_open
from api.live.entities import leader_of, members_of
from models.profile import RangedWeapon
from models.state import TableState
from models.unit_conversion import inches
from models.verdict import Verdict
from models.vocabulary import Id
from referee.rules.sides import are_enemies


@dataclass(frozen=True)
class UnitPairView:
    """Two units as one of them sees it: `me` asks about `other`, and their letters."""

    state: TableState
    me: Id
    other: Id
    letters: tuple[str, str] = ("A", "B")

    @property
    def mark(self) -> str:
        return "" if self.letters[0] == "A" else "-ba"

    def swap_sides(self) -> "UnitPairView":
        return UnitPairView(self.state, self.other, self.me, self.letters[::-1])

    def are_enemies(self) -> bool:
        first, second = (leader_of(self.state, id_, field="") for id_ in (self.me, self.other))
        return are_enemies(self.state, first, second)

    def gun(self) -> RangedWeapon | None:
        """The missile weapon that anybody of mine carries."""
        carried = (weapon for m in members_of(self.state, self.me) for weapon in m.profile.ranged)
        return next(carried, None)

    def line(
        self, slot: str, title: str, asked: tuple[str, str, str], fields: dict[str, Any] | None = None, **more: Any
    ) -> QuestionLine:
        """The question of this kind with me and the other in its two roles; A and B in the title as they stand."""
        kind, mine, theirs = asked
        (a, b), fields = self.letters, {mine: self.me, theirs: self.other, **(fields or {})}
        return QuestionLine(slot=slot + self.mark, title=title.format(a=a, b=b), kind=kind, fields=fields, **more)


def unit_questions(two: UnitPairView, *, range_in: float) -> tuple[QuestionLine, ...]:
    """Every line that may belong on the sheet of these two, the most argued-about first."""
    back = two.swap_sides()
    lines = [
        sight_line(two),
        two.line("distance", "Distance", ("distance", "a", "b")),
        *_arc_line(two),
        *_arc_line(back),
    ]
    if two.are_enemies():
        lines += [*_charge_lines(two), *_shot_lines(two), *_charge_lines(back), *_shot_lines(back)]
    within = two.line(
        "within", "B within", ("within", "a", "b"), {"range_in": range_in}, turns_on="range", yes="Within", no="Beyond"
    )
    return (*lines, sight_line(back), within)


def sight_line(two: UnitPairView) -> QuestionLine:
    return two.line("sight", "{a} sees {b}", ("los", "viewer", "target"), yes="Clear", no="Blocked", takes_long=True)


def shooting_line(two: UnitPairView) -> QuestionLine:
    """How many of mine may shoot at the other."""
    when: dict[str, Any] = {"takes_long": True, "comes_last": True, "permits": True}
    return two.line("shooters", "{a} shoots {b}", ("shooters", "attacker", "target"), no="None may", **when)


def charge_line(two: UnitPairView) -> QuestionLine:
    """Whether I may charge the other."""
    when: dict[str, Any] = {"takes_long": True, "comes_last": True, "permits": True}
    return two.line(
        "charge", "{a} charges {b}", ("charge", "attacker", "target"), turns_on="speed", yes="May", no="May not", **when
    )


def range_mm(gun: RangedWeapon) -> float:
    """How far a weapon shoots at most; nothing is too far for one whose card does not tell."""
    longest = gun.rng_in[1] if isinstance(gun.rng_in, tuple) else gun.rng_in
    return math.inf if longest is None else inches(longest)


def _arc_line(two: UnitPairView) -> Iterator[QuestionLine]:
    yield two.line("zone", "{b} stands in {a}'s", ("arc", "viewer", "target"))


def _charge_lines(two: UnitPairView) -> Iterator[QuestionLine]:
    yield charge_line(two)
    odds = two.line("odds", "{a}'s odds to reach {b}", ("charge-chance", "attacker", "target"), matters=_is_likely)
    yield odds
    if two.swap_sides().gun() is not None:
        stand = ("stand-and-shoot", "attacker", "target")
        when: dict[str, Any] = {"takes_long": True, "comes_last": True, "matters": is_met_or_open}
        yield two.line("stand", "{b} stands and shoots", stand, **when)


def _shot_lines(two: UnitPairView) -> Iterator[QuestionLine]:
    if two.gun() is None:
        return
    pair = ("attacker", "target")
    yield shooting_line(two)
    yield two.line(
        "shot",
        "{a}'s shot at {b}",
        ("attack-modifiers", *pair),
        {"attack": "ranged"},
        takes_long=True,
        matters=has_modifiers,
    )
    yield two.line(
        "cover",
        "{b} has cover from {a}",
        ("cover", *pair),
        takes_long=True,
        matters=is_met_or_open,
        yes="Cover",
        no="In the open",
    )


def _is_likely(verdict: Verdict) -> bool:
    chance = verdict.value.get("chance")
    return isinstance(chance, dict) and bool(chance.get("p"))
