"""What players ask about two units, where a rulebook plays units: which question, in which words, when it matters."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from api.fielded import leading, members
from api.pair_lines import Wanted, adds_up, tells
from models.profile import RangedWeapon
from models.state import TableState
from models.units import inches
from models.verdict import Verdict
from models.words import Id
from referee.sides import are_enemies


@dataclass(frozen=True)
class Two:
    """Two units as one of them sees it: `me` asks about `other`, and their letters."""

    state: TableState
    me: Id
    other: Id
    letters: tuple[str, str] = ("A", "B")

    @property
    def mark(self) -> str:
        return "" if self.letters[0] == "A" else "-ba"

    def swapped(self) -> "Two":
        return Two(self.state, self.other, self.me, self.letters[::-1])

    def are_enemies(self) -> bool:
        first, second = (leading(self.state, id_, field="") for id_ in (self.me, self.other))
        return are_enemies(self.state, first, second)

    def gun(self) -> RangedWeapon | None:
        """The missile weapon that anybody of mine carries."""
        carried = (one for m in members(self.state, self.me) for one in m.profile.ranged)
        return next(carried, None)

    def line(
        self, slot: str, title: str, asked: tuple[str, str, str], told: dict[str, Any] | None = None, **more: Any
    ) -> Wanted:
        """The question of this kind with me and the other in its two roles; A and B in the title as they stand."""
        kind, mine, theirs = asked
        (a, b), fields = self.letters, {mine: self.me, theirs: self.other, **(told or {})}
        return Wanted(slot=slot + self.mark, title=title.format(a=a, b=b), kind=kind, fields=fields, **more)


def wanted(two: Two, *, range_in: float) -> tuple[Wanted, ...]:
    """Every line that may belong on the sheet of these two, the most argued-about first."""
    back = two.swapped()
    lines = [sight(two), two.line("distance", "Distance", ("distance", "a", "b")), *_arc(two), *_arc(back)]
    if two.are_enemies():
        lines += [*_charge(two), *_shot(two), *_charge(back), *_shot(back)]
    within = two.line(
        "within", "B within", ("within", "a", "b"), {"range_in": range_in}, turns_on="range", yes="Within", no="Beyond"
    )
    return (*lines, sight(back), within)


def sight(two: Two) -> Wanted:
    """Whether I see the other."""
    return two.line("sight", "{a} sees {b}", ("los", "viewer", "target"), yes="Clear", no="Blocked", takes_long=True)


def shooting(two: Two) -> Wanted:
    """How many of mine may shoot at the other."""
    when: dict[str, Any] = {"takes_long": True, "comes_last": True}
    return two.line("shooters", "{a} shoots {b}", ("shooters", "attacker", "target"), no="None may", **when)


def charging(two: Two) -> Wanted:
    """Whether I may charge the other."""
    when: dict[str, Any] = {"takes_long": True, "comes_last": True}
    return two.line(
        "charge", "{a} charges {b}", ("charge", "attacker", "target"), turns_on="speed", yes="May", no="May not", **when
    )


def range_mm(gun: RangedWeapon) -> float:
    """How far a weapon shoots at most; nothing is too far for one whose card does not tell."""
    told = gun.rng_in[1] if isinstance(gun.rng_in, tuple) else gun.rng_in
    return math.inf if told is None else inches(told)


def _arc(two: Two) -> Iterator[Wanted]:
    """In which of my zones the other stands."""
    yield two.line("zone", "{b} stands in {a}'s", ("arc", "viewer", "target"))


def _charge(two: Two) -> Iterator[Wanted]:
    yield charging(two)
    odds = two.line("odds", "{a}'s odds to reach {b}", ("charge-chance", "attacker", "target"), matters=_is_likely)
    yield odds
    if two.swapped().gun() is not None:
        stand = ("stand-and-shoot", "attacker", "target")
        when: dict[str, Any] = {"takes_long": True, "comes_last": True, "matters": tells}
        yield two.line("stand", "{b} stands and shoots", stand, **when)


def _shot(two: Two) -> Iterator[Wanted]:
    if two.gun() is None:
        return
    pair = ("attacker", "target")
    yield shooting(two)
    yield two.line(
        "shot", "{a}'s shot at {b}", ("attack-modifiers", *pair), {"attack": "ranged"}, takes_long=True, matters=adds_up
    )
    yield two.line(
        "cover",
        "{b} has cover from {a}",
        ("cover", *pair),
        takes_long=True,
        matters=tells,
        yes="Cover",
        no="In the open",
    )


def _is_likely(verdict: Verdict) -> bool:
    """Whether there is a chance at all."""
    chance = verdict.value.get("chance")
    return isinstance(chance, dict) and bool(chance.get("p"))
