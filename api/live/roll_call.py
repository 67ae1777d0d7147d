"""Roll call: how many bases of each side and size stand on the table, are missing, and which of them are doubtful."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import Field

from api.corrections.apply import name_candidate
from api.corrections.army_states import unit_states
from api.corrections.schemas import (
    AbsenceCorrection,
    CompletionCorrection,
    CorrectionGroup,
    CorrectionStep,
    describe_base,
)
from api.corrections.told_facts import is_waiting
from api.seats.permissions import Seat
from api.setups.schemas import ExpectedMiniature
from models.base import Base, BaseAlternative
from models.frozen import Frozen
from models.miniature import Miniature
from models.state import TableState
from models.tap import PictureCrop
from models.vocabulary import Id, Point, Share

SURE_OF_SIZE = 0.9  # a size less likely than that is shown to players
_LEAST_MENTIONED = 0.02
_LED_MM = 1.2  # what a player confirmed and is surer was led by its rim: nobody need look again

Doubt = Literal["unconfirmed", "size", "by-hand"]


class SizeCount(Frozen):
    """How many of one size are expected, stand there and are missing."""

    base: Base
    expected: int
    standing: int
    missing: int


class SideCount(Frozen):
    """The bases of one side; null: of those that nobody gave a side yet."""

    side: str | None
    expected: int | None = Field(description="null: no list and no number tells")
    standing: int
    away: int = Field(0, description="casualties and who is in reserve, as seen or told: they are not missing")
    missing: int
    sizes: tuple[SizeCount, ...] = Field((), description="as far as the sizes are known")
    says: str = Field(description='such as "Mara 31 of 36, two away: missing one 50 mm, two 30 mm"')


class DoubtfulBase(Frozen):
    """A base that players look at: whether it is one, of which size, or where it stands."""

    doubt: Doubt
    id: Id | None = Field(description="of the miniature; null: nothing stands there so far")
    name: str
    base: Base
    at_mm: Point
    probability: Share = Field(description="that it is a base, or of this size")
    sizes: tuple[BaseAlternative, ...] = ()
    picture: str | None = Field(None, description="the picture that shows it, with the part of it")
    crop: PictureCrop | None = None


class RollCallSheet(Frozen):
    """The roll call of a table. It ends with the correction `complete`, which the other player agrees to."""

    sides: tuple[SideCount, ...]
    missing: int
    asks: str | None = Field(None, description="what players say of the missing, before they call the table complete")
    doubtful: tuple[DoubtfulBase, ...] = Field(description="the most doubtful first")
    is_complete: bool
    step: int | None = Field(None, description="of the correction that calls it complete, holding or waiting")
    by: Seat | None = Field(None, description="who called it")
    is_waiting: bool = Field(False, description="for the other player, who has not agreed yet")


def call_roll(
    state: TableState,
    expected: Sequence[ExpectedMiniature],
    steps: Sequence[CorrectionStep],
    *,
    departed: Iterable[Base] = (),
) -> RollCallSheet:
    """The roll of this table, by who is expected there; `departed`: bases that were seen to leave it."""
    sides = _count_sides(state, expected, count_away(state, steps, departed, expected))
    missing = sum(side.missing for side in sides)
    calls = [step for step in steps if isinstance(step.correction, CompletionCorrection) and not step.is_undone]
    newest = calls[-1] if calls else None
    return RollCallSheet(
        sides=sides,
        missing=missing,
        asks=f"{missing} missing: a casualty, in reserve, or unseen?" if missing else None,
        doubtful=tuple(sorted(find_doubtful(state), key=lambda doubtful: doubtful.probability)),
        is_complete=state.called.is_complete,
        step=None if newest is None else newest.n,
        by=None if newest is None else newest.by,
        is_waiting=newest is not None and is_waiting(newest),
    )


def count_missing(
    state: TableState,
    expected: Sequence[ExpectedMiniature],
    steps: Sequence[CorrectionStep] = (),
    *,
    departed: Iterable[Base] = (),
) -> tuple[Base, ...]:
    """Each base that is expected and stands nowhere, as far as sizes are known, the largest number first."""
    wanted: Counter[Base] = Counter()
    for miniature in expected:
        if miniature.base is not None:
            wanted[miniature.base] += miniature.count
    away = count_away(state, steps, departed, expected)
    missing = wanted - _standing_sizes(_standing(state)) - Counter(base for _, base in away.elements() if base)
    return tuple(base for base, count in missing.most_common() for _ in range(count))


Away = Counter[tuple[str | None, Base | None]]
"""How many of a side and a size stand nowhere for a reason; None: of any."""


def count_away(
    state: TableState,
    steps: Sequence[CorrectionStep],
    departed: Iterable[Base] = (),
    expected: Iterable[ExpectedMiniature] = (),
) -> Away:
    """Who is expected and not missing: seen to leave, removed from play, or told to be a casualty or in reserve."""
    away: Away = Counter((None, base) for base in departed)
    away += Counter((m.side, m.base) for m in state.miniatures if "removed" in m.status)
    for step in steps:
        group = step.correction
        for single in group.corrections if isinstance(group, CorrectionGroup) else (group,):
            if isinstance(single, AbsenceCorrection) and not step.is_undone:
                away[single.side, single.base] += single.count
    states = unit_states(steps)
    names = Counter((m.name, m.side) for m in _standing(state))
    for each in expected:
        if (unit := states.get(each.unit or each.entry or "")) is not None and unit.is_away:
            away[each.side, each.base] += max(0, each.count - names[each.name, each.side])
    return away


def find_doubtful(state: TableState) -> list[DoubtfulBase]:
    """What a camera or a hand left open on this table."""
    doubtful = [
        DoubtfulBase(
            doubt="unconfirmed", id=None, name=name_candidate(i), base=seen.base, at_mm=seen.at_mm,
            probability=seen.probability,
        )
        for i, seen in enumerate(state.unconfirmed)
    ]  # fmt: skip
    for m in _standing(state):
        others = tuple(other for other in m.base_alternatives if other.probability >= _LEAST_MENTIONED)
        chance = max(0.0, min(1.0, 1.0 - sum(other.probability for other in others if other.base != m.base)))
        if m.placement == "by-hand" and m.sigma.at_mm > _LED_MM:
            doubt: Doubt = "by-hand"
        elif chance < SURE_OF_SIZE:
            doubt = "size"
        else:
            continue
        doubtful.append(
            DoubtfulBase(
                doubt=doubt, id=m.id, name=m.name or m.id, base=m.base, at_mm=m.at_mm, probability=chance, sizes=others
            )
        )
    return doubtful


def _standing(state: TableState) -> list[Miniature]:
    return [m for m in state.miniatures if "removed" not in m.status]


def _standing_sizes(miniatures: Iterable[Miniature]) -> Counter[Base]:
    return Counter(m.base for m in miniatures)


def _count_sides(state: TableState, expected: Sequence[ExpectedMiniature], away: Away) -> tuple[SideCount, ...]:
    """Each side's count; who has no side yet is counted where its size is missing, else by itself.

    Where nobody told of which side the expected are, all are one.
    """
    if expected and all(each.side is None for each in expected):
        of_any_side: Away = Counter((None, base) for _, base in away.elements())
        return (_count_side(None, expected, Counter(), _standing_sizes(_standing(state)), of_any_side),)
    free = Counter(m.base for m in _standing(state) if m.side is None)
    names = dict.fromkeys([*(each.side for each in expected), *(m.side for m in _standing(state))])
    rows = []
    for side in (name for name in names if name is not None):
        theirs = [each for each in expected if each.side == side]
        mine = _standing_sizes(m for m in _standing(state) if m.side == side)
        rows.append(_count_side(side, theirs, mine, free, away))
    unnamed = [each for each in expected if each.side is None]
    if unnamed or sum(free.values()) or not rows:
        rows.append(_count_side(None, unnamed, Counter(), free, away))
    return tuple(rows)


def _count_side(
    side: str | None,
    expected: Sequence[ExpectedMiniature],
    standing: Counter[Base],
    free: Counter[Base],
    away: Away,
) -> SideCount:
    """One side's count; takes what it needs of those that are free, or away."""
    wanted: Counter[Base] = Counter()
    for each in expected:
        if each.base is not None:
            wanted[each.base] += each.count
    of_any_size = sum(each.count for each in expected if each.base is None)
    seen, missing, gone = Counter(standing), Counter[Base](), 0
    for base, number in wanted.items():
        taken = min(max(0, number - seen[base]), free[base])
        seen[base] += taken
        free[base] -= taken
        lacking = max(0, number - seen[base])
        left = _take(away, [(side, base), (None, base)], lacking)
        gone += left
        missing[base] = lacking - left
    if side is None or (of_any_size and not wanted):
        seen += free
        free.clear()
    lacking = max(0, of_any_size - sum((seen - wanted).values()))
    left = _take(away, [key for key in away if key[0] in (side, None)], lacking)
    sizes = tuple(
        SizeCount(base=base, expected=wanted[base], standing=seen[base], missing=missing[base])
        for base in {**wanted, **seen}
        if wanted[base] or seen[base]
    )
    count = sum(wanted.values()) + of_any_size if expected else None
    stand = sum(seen.values())
    return SideCount(
        side=side,
        expected=count,
        standing=stand,
        away=gone + left,
        missing=sum(missing.values()) + lacking - left,
        sizes=sizes,
        says=_describe(side, stand, count, +missing, missing_of_any=lacking - left, away=gone + left),
    )


def _take(away: Away, keys: Iterable[tuple[str | None, Base | None]], most: int) -> int:
    """How many of these are away, as many as are wanted at most; they are wanted no more."""
    taken = 0
    for key in dict.fromkeys(keys):
        share = min(most - taken, away[key])
        away[key] -= share
        taken += share
    return taken


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _describe(
    side: str | None,
    standing: int,
    expected: int | None,
    missing: Mapping[Base, int],
    *,
    missing_of_any: int,
    away: int,
) -> str:
    if expected is None:
        return f"{side}: {standing} on the table" if side else f"{standing} on the table"
    count = f"{side} {standing} of {expected}" if side else f"{standing} of {expected}"
    count += f", {_number(away)} away" if away else ""
    parts = [f"{_number(count)} {describe_base(base)}" for base, count in missing.items()]
    parts += [f"{_number(missing_of_any)} of any size"] if missing_of_any else []
    return count + (f": missing {', '.join(parts)}" if parts else "")


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
