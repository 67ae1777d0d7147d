"""Regiment placement: a unit that was measured at a tap, as the one correction that tells the table of it."""

import math
from collections.abc import Iterable, Sequence

from pydantic import Field

from api.corrections.schemas import (
    BaseCorrection,
    CorrectionGroup,
    MiniatureCorrection,
    RemovalCorrection,
    SingleCorrection,
)
from models.base import Base, RoundBase
from models.hint import RegimentHint
from models.miniature import Miniature
from models.state import TableState
from models.tap import RegimentMeasurement, RegimentMember
from models.vocabulary import Id

LEAST_SIGMA_MM = 0.05
_NAME = "regiment"


_EXAMPLE = {
    "corners_px": [[812.0, 410.5], [1012.0, 402.0]],
    "base": {"shape": "rect", "width_mm": 25, "depth_mm": 25},
    "count": 18,
    "unit": "spears",
}


class RegimentRequest(RegimentHint, json_schema_extra={"examples": [_EXAMPLE]}):
    """A ranked unit that is pointed at, and what it is called."""

    unit: Id | None = Field(None, description="its name on the table; one that is not there yet is made")
    side: Id | None = None


class RegimentSheet(RegimentMeasurement):
    """A ranked unit as it was measured, and the correction by which all of it stands on the table in one step."""

    picture: str
    seen_count: int = Field(description="how many of its members show their rims")
    correction: CorrectionGroup


def place_regiment(
    asked: RegimentRequest, measured: RegimentMeasurement, state: TableState | None, *, picture: str
) -> RegimentSheet:
    """The sheet: a miniature that stands there already keeps its name; what else stands upon the unit is taken away."""
    unit = asked.unit or _free_name(state)
    standing = [] if state is None else [m for m in state.miniatures if "removed" not in m.status]
    names = _names(measured, standing, unit, taken=() if state is None else state.by_id)
    steps: list[SingleCorrection] = []
    if upon := _upon(measured, [m for m in standing if m.id not in names]):
        steps.append(RemovalCorrection(do="take-away", ids=upon))
    steps += [
        _placement(member, name, measured)
        for member, name in zip(measured.members, names, strict=True)
    ]  # fmt: skip
    steps.append(
        MiniatureCorrection(
            do="miniature", ids=names, unit=unit, side=asked.side, facing_deg=measured.facing_deg, seen_mm={}
        )
    )
    group = CorrectionGroup(do="several", corrections=tuple(steps))
    return RegimentSheet(**dict(measured), picture=picture, seen_count=measured.seen, correction=group)


def _placement(member: RegimentMember, name: Id, measured: RegimentMeasurement) -> BaseCorrection:
    return BaseCorrection(
        do="base", id=name, at_mm=member.at_mm, base=measured.base, sigma_mm=max(member.sigma_mm, LEAST_SIGMA_MM),
        turn_deg=None if isinstance(measured.base, RoundBase) else measured.facing_deg,
    )  # fmt: skip


def _names(
    measured: RegimentMeasurement, standing: Sequence[Miniature], unit: Id, *, taken: Iterable[Id]
) -> tuple[Id, ...]:
    """Of each member: the nearest miniature's that stands there, else its unit's with rank and file."""
    reach_mm = _inradius_mm(measured.base)
    near = sorted(
        (distance, number, m.id)
        for number, member in enumerate(measured.members)
        for m in standing
        if (distance := math.dist(member.at_mm, m.at_mm)) < reach_mm
    )
    names: dict[int, Id] = {}
    for _, number, id_ in near:
        if number not in names and id_ not in names.values():
            names[number] = id_
    known = set(taken)
    return tuple(
        names.get(number) or unused_name(f"{unit}/{member.rank}-{member.file}", known)
        for number, member in enumerate(measured.members)
    )


def _upon(measured: RegimentMeasurement, others: Iterable[Miniature]) -> tuple[Id, ...]:
    """Who stands where a member does."""
    return tuple(
        m.id
        for m in others
        if any(
            math.dist(m.at_mm, member.at_mm) < max(_inradius_mm(m.base), _inradius_mm(measured.base))
            for member in measured.members
        )
    )


def _inradius_mm(base: Base) -> float:
    return (base.diameter_mm if isinstance(base, RoundBase) else min(base.width_mm, base.depth_mm)) / 2


def _free_name(state: TableState | None) -> Id:
    return unused_name(_NAME, set() if state is None else set(state.by_id))


def unused_name(name: Id, known: set[Id]) -> Id:
    """This name, or with a number where it is another's."""
    free, number = name, 2
    while free in known:
        free, number = f"{name} {number}", number + 1
    return free
