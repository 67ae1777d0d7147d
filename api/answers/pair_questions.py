"""Pair questions: what players ask about two miniatures, in which words, and when the answer matters.

Most lines come twice, from A to B and back. Some are always shown; the others only when they change something: an
attack that has no modifier for elevation shows none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field

from api.answers.range_rings import longest_reach_in
from models.frozen import Frozen
from models.miniature import Miniature
from models.queries import QUERIES
from models.state import TableState
from models.unit_conversion import inches
from models.verdict import Answer, Verdict

ToldLength = Literal["range", "reach", "speed"]
Topic = Literal["see", "shoot", "charge", "melee"]
"""What a player is about to do when he asks."""

_TOPIC_OF_KIND: dict[str, Topic] = {
    "los": "see",
    "in-front-arc": "see",
    "arc": "see",
    "control-area": "see",
    "command-range": "see",
    "range": "shoot",
    "cover": "shoot",
    "stealth": "shoot",
    "trench": "shoot",
    "in-melee-penalty": "shoot",
    "elevation-bonus": "shoot",
    "target-legal": "shoot",
    "shooters": "shoot",
    "field-of-fire": "shoot",
    "within": "shoot",
    "completely-within": "shoot",
    "charge": "charge",
    "charge-chance": "charge",
    "action": "charge",
    "stand-and-shoot": "charge",
    "engaged": "melee",
    "melee-range": "melee",
    "melee-terrain-bonus": "melee",
    "b2b": "melee",
    "in-back-arc": "melee",
    "damage-arc": "melee",
    "damage-grid": "melee",
}

_NEARLY_IN = 2.0  # a charge or a blow that falls this much short is still worth a line


@dataclass(frozen=True)
class QuestionLine:
    """One line of the sheet before it is answered. `title` has A and B for the two miniatures.

    `turns_on` names the length the players told that decides; `matters` whether an answer is worth showing, None where
    every answer is; `takes_long` whether it looks for free lines or ways; beyond `within_mm` it is not asked at all;
    what `comes_last` is searched for so long that the others are read meanwhile. Where it `permits`, a no means that
    the rules forbid it.
    """

    slot: str
    title: str
    kind: str
    fields: dict[str, Any]
    yes: str = "Yes"
    no: str = "No"
    turns_on: ToldLength | None = None
    length_in: float | None = None
    takes_long: bool = False
    matters: Callable[[Verdict], bool] | None = None
    within_mm: float | None = None
    comes_last: bool = False
    permits: bool = False

    @property
    def topic(self) -> Topic | None:
        """What it is asked for; None where it is asked for everything, as the distance is."""
        if self.kind == "attack-modifiers":
            return "melee" if self.fields["attack"] == "melee" else "shoot"
        return _TOPIC_OF_KIND.get(self.kind)

    @property
    def is_of_b(self) -> bool:
        return "ba" in self.slot.split("-")[1:]


@dataclass(frozen=True)
class PairView:
    """The pair as one of the two sees it: `me` asks about `other`, and their letters."""

    me: Miniature
    other: Miniature
    letters: tuple[str, str] = ("A", "B")
    range_in: float = 10.0
    charge_extra_mm: float | None = None
    engages_by_card: bool = True

    @property
    def mark(self) -> str:
        return "" if self.letters[0] == "A" else "-ba"

    def swap_sides(self) -> "PairView":
        return replace(self, me=self.other, other=self.me, letters=self.letters[::-1])

    def are_friends(self) -> bool:
        return self.me.side is not None and self.me.side == self.other.side

    def has_no_facing(self) -> bool:
        """Whether nobody has told which way either of them looks."""
        return self.me.facing_deg is None and self.other.facing_deg is None

    def ask(self, kind: str, roles: tuple[str, str], **more: Any) -> tuple[str, dict[str, Any]]:
        return kind, {roles[0]: self.me.id, roles[1]: self.other.id, **more}


class PlayerQuestion(Frozen):
    """What a player asks in one sentence, such as whether A may shoot B: yes where each of its lines is."""

    topic: Topic
    is_of_b: bool = Field(description="whether it is B that would do it")
    slots: tuple[str, ...] = Field(description="its lines; the first always stands on the sheet")


def player_questions(lines: Sequence[QuestionLine], *, first: Topic | None, of_b: bool) -> tuple[PlayerQuestion, ...]:
    """The questions that these lines answer together, what is likely asked first: the topic and the acting one."""
    slots = [line.slot for line in lines]
    is_fight = any(line.kind in ("engaged", "charge", "shooters") for line in lines)
    first = first or (None if is_fight else "see")
    asked = [question for mark in ("", "-ba") for question in _questions_of(slots, mark)]
    return tuple(sorted(asked, key=lambda question: (question.topic != first, question.is_of_b != of_b)))


def _questions_of(slots: Sequence[str], mark: str) -> Iterator[PlayerQuestion]:
    guns = [slot for slot in slots if slot.startswith(f"gun{mark}-") and slot.removeprefix(f"gun{mark}-").isdigit()]
    shots: list[tuple[str, ...]] = [(slot, f"sight{mark}", f"may-shoot{mark}") for slot in guns]
    shots += [(f"range{mark}", f"sight{mark}")] if not guns else []
    asked: tuple[tuple[Topic, tuple[str, ...]], ...] = (
        ("shoot", (f"shooters{mark}",)),
        *(("shoot", shot) for shot in shots),
        ("charge", (f"charge{mark}",)),
        ("melee", (f"melee{mark}",)),
        ("see", (f"sight{mark}",)),
    )
    for topic, parts in asked:
        if parts[0] in slots:
            known = tuple(slot for slot in parts if slot in slots)
            yield PlayerQuestion(topic=topic, is_of_b=mark != "", slots=known)


def pair_questions(state: TableState, both: PairView) -> tuple[QuestionLine, ...]:
    """Every line that may belong on the sheet of this pair, the most argued-about first."""
    back = both.swap_sides()
    lines = (
        *_sight_lines(both),
        *_distance_line(both),
        *_shot_lines(both),
        *_engagement_lines(both),
        *_engagement_lines(back),
        *_charge_lines(both),
        *_charge_lines(back),
        *_sight_lines(back),
        *_shot_lines(back),
        *_front_lines(both),
        *_front_lines(back),
        *_blow_lines(both),
        *_blow_lines(back),
        *_contact_lines(both),
        *_back_strike_lines(both),
        *_back_strike_lines(back),
        *_colossal_lines(both),
        *_colossal_lines(back),
        *_command_lines(both),
        *_command_lines(back),
        *_limit_lines(both),
    )
    return tuple(line for line in lines if state.edition in QUERIES[line.kind].EDITIONS)


def is_met_or_open(verdict: Verdict) -> bool:
    return verdict.answer in (Answer.YES, Answer.TOO_CLOSE)


def has_modifiers(verdict: Verdict) -> bool:
    return bool(verdict.value.get("modifiers"))


def _forbids(verdict: Verdict) -> bool:
    """Whether something forbids an attack besides sight and range, which have lines of their own."""
    return bool(set(failed_clauses(verdict)) - {"sight", "arc", "range", "reach"})


def failed_clauses(verdict: Verdict) -> list[str]:
    """The conditions that do not surely hold."""
    clauses = verdict.value.get("clauses")
    given = clauses if isinstance(clauses, list) else []
    return [str(clause["clause"]) for clause in given if isinstance(clause, dict) and clause.get("answer") != "yes"]


def _make_line(asked: tuple[str, dict[str, Any]], slot: str, title: str, **more: Any) -> QuestionLine:
    kind, fields = asked
    return QuestionLine(slot=slot, title=title, kind=kind, fields=fields, **more)


def _sight_lines(both: PairView) -> Iterator[QuestionLine]:
    a, b = both.letters
    asked = both.ask("los", ("viewer", "target"))
    yield _make_line(asked, f"sight{both.mark}", f"{a} sees {b}", yes="Clear", no="Blocked", takes_long=True)


def _distance_line(both: PairView) -> Iterator[QuestionLine]:
    yield _make_line(both.ask("distance", ("a", "b")), "distance", "Distance")


def _shot_lines(both: PairView) -> Iterator[QuestionLine]:
    """Range with each gun on the card, or with a told one; what forbids the shot and what makes it harder."""
    a, b = both.letters
    guns = both.me.profile.ranged
    answers = {"yes": "In range", "no": "Out of range"}
    pair = ("attacker", "target")
    for k, gun in enumerate(guns):
        asked = both.ask("range", pair, weapon=gun.name)
        yield _make_line(asked, f"gun{both.mark}-{k}", f"{a} shoots {b}: {gun.name}", **answers)
    if not guns and not both.mark:
        asked = both.ask("range", pair, range_in=both.range_in)
        yield _make_line(asked, "range", f"{a} shoots {b}", turns_on="range", **answers)
    if guns or not both.mark:
        yield from _cover_lines(both)
    if guns and not both.are_friends():
        legal = both.ask("target-legal", pair, attack="ranged")
        yield _make_line(
            legal, f"may-shoot{both.mark}", f"{a} may shoot {b}", permits=True, takes_long=True, matters=_forbids
        )
        sum_ = both.ask("attack-modifiers", pair, attack="ranged")
        yield _make_line(sum_, f"shot{both.mark}", f"{a}'s shot at {b}", takes_long=True, matters=has_modifiers)


def _cover_lines(both: PairView) -> Iterator[QuestionLine]:
    a, b = both.letters
    pair = ("attacker", "target")
    cover, stealth, trench = both.ask("cover", pair), both.ask("stealth", pair), both.ask("trench", pair)
    answers: dict[str, Any] = {"yes": "Cover", "no": "In the open"}
    yield _make_line(
        cover, f"cover{both.mark}", f"{b} has cover from {a}", takes_long=True, matters=is_met_or_open, **answers
    )
    if both.other.has("stealth"):
        yield _make_line(stealth, f"stealth{both.mark}", f"Stealth hides {b}", yes="Hidden", no="Near enough")
    yield _make_line(trench, f"trench{both.mark}", f"{b}'s trench helps", matters=is_met_or_open)
    melee = both.ask("in-melee-penalty", pair)
    answers = {"yes": "Harder", "no": "Free"}
    when: dict[str, Any] = {"takes_long": True, "comes_last": both.has_no_facing()}  # each way with each is weighed
    yield _make_line(melee, f"into-melee{both.mark}", f"{b} is in melee", matters=is_met_or_open, **when, **answers)
    height = both.ask("elevation-bonus", pair)
    yield _make_line(
        height, f"height{both.mark}", f"Height helps {b}", yes="Higher", no="Level", matters=is_met_or_open
    )


def _engagement_lines(both: PairView) -> Iterator[QuestionLine]:
    if both.are_friends():
        return
    (a, b), fields = both.letters, both.ask("engaged", ("attacker", "target"))
    answers = {"yes": "Engaged", "no": "Not engaged"}
    length: ToldLength | None = "reach" if both.engages_by_card else None
    yield _make_line(fields, f"engaged{both.mark}", f"{a} engages {b}", takes_long=True, turns_on=length, **answers)


def _charge_lines(both: PairView) -> Iterator[QuestionLine]:
    """Whether it gets there, for those who stand not much farther apart than a charge and a weapon are long."""
    speed_in = both.me.profile.spd_in
    if both.are_friends() or speed_in is None or both.charge_extra_mm is None:
        return
    (a, b), asked = both.letters, both.ask("charge", ("attacker", "target"))
    answers = {"yes": "Gets there", "no": "Falls short"}
    within_mm = inches(speed_in + longest_reach_in(both.me) + _NEARLY_IN) + both.charge_extra_mm
    when = {"takes_long": True, "comes_last": True, "within_mm": within_mm}
    yield _make_line(asked, f"charge{both.mark}", f"{a} charges {b}", turns_on="speed", **when, **answers)


def _blow_lines(both: PairView) -> Iterator[QuestionLine]:
    """Reach, and what changes a blow from here."""
    (a, b), pair = both.letters, ("attacker", "target")
    answers = {"yes": "In reach", "no": "Out of reach"}
    yield _make_line(
        both.ask("melee-range", pair), f"melee{both.mark}", f"{a} reaches {b}", turns_on="reach", **answers
    )
    if both.are_friends():
        return
    when: dict[str, Any] = {"takes_long": True, "within_mm": inches(longest_reach_in(both.me) + _NEARLY_IN)}
    sum_ = both.ask("attack-modifiers", pair, attack="melee")
    if both.me.profile.melee:
        yield _make_line(sum_, f"blow{both.mark}", f"{a}'s blow at {b}", matters=has_modifiers, **when)
    wall = both.ask("melee-terrain-bonus", pair)
    yield _make_line(wall, f"wall{both.mark}", f"The wall helps {b}", yes="Helps", matters=is_met_or_open, **when)


def _front_lines(both: PairView) -> Iterator[QuestionLine]:
    (a, b), asked = both.letters, both.ask("in-front-arc", ("viewer", "target"))
    slot = "front-ba" if both.mark else "front-ab"
    yield _make_line(asked, slot, f"{b} in {a}'s front arc", yes="In front", no="Not in front")


def _contact_lines(both: PairView) -> Iterator[QuestionLine]:
    yield _make_line(both.ask("b2b", ("a", "b")), "contact", "Base to base", yes="Touching", no="Apart")


def _back_strike_lines(both: PairView) -> Iterator[QuestionLine]:
    """Whether `me` stands wholly behind the other, and strikes its back."""
    (a, b), asked = both.letters, both.ask("in-back-arc", ("target", "viewer"))
    yield _make_line(asked, f"back{both.mark}", f"{a} wholly behind {b}", yes="Behind", no="Not behind")
    shield = both.ask("damage-arc", ("attacker", "target"))
    if {"shield", "buckler"} & {rule for weapon in both.other.profile.melee for rule in weapon.rules}:
        answers = {"yes": "Counts", "no": "From behind"}
        yield _make_line(shield, f"shield{both.mark}", f"{b}'s shield against {a}", **answers)


def _colossal_lines(both: PairView) -> Iterator[QuestionLine]:
    """Fields of fire and damage grids, where a weapon has a side or a base is huge."""
    (a, b), profile = both.letters, both.me.profile
    arms = {w.location for w in profile.melee} | {w.location for w in profile.ranged}
    for side in (side for side in ("left", "right") if side in arms):
        asked = both.ask("field-of-fire", ("attacker", "target"), location=side)
        yield _make_line(asked, f"{side}{both.mark}", f"{a}'s {side} arm bears on {b}", yes="Bears", no="Does not")
    if both.other.base.shape == "round" and both.other.base.diameter_mm >= 120 and not both.are_friends():
        yield _make_line(both.ask("damage-grid", ("origin", "target")), f"grid{both.mark}", f"{b}'s grid hit from {a}")


def _command_lines(both: PairView) -> Iterator[QuestionLine]:
    (a, b), card = both.letters, both.me.profile
    if both.are_friends() and card.control_stat is not None:
        asked = both.ask("control-area", ("caster", "target"))
        yield _make_line(asked, f"control{both.mark}", f"{b} in {a}'s control area", yes="Inside", no="Outside")
    if both.are_friends() and both.me.unit is not None and both.me.unit == both.other.unit and card.cmd_in is not None:
        asked = both.ask("command-range", ("commander", "who"))
        yield _make_line(asked, f"command{both.mark}", f"{b} hears {a}", yes="Near enough", no="Too far")


def _limit_lines(both: PairView) -> Iterator[QuestionLine]:
    asked = both.ask("within", ("a", "b"), range_in=both.range_in)
    yield _make_line(asked, "within", "B within", yes="Within", no="Beyond", turns_on="range")
    asked = both.ask("completely-within", ("a", "b"), range_in=both.range_in)
    yield _make_line(asked, "completely", "All of B within", yes="All within", no="Not all", turns_on="range")
