"""Placed bases: where a player says that a base stands, until the camera measures it there or it is moved."""

import math
import re
from collections.abc import Iterable, Iterator, Set
from typing import Any

from api.corrections.schemas import BaseCorrection, Correction, CorrectionGroup, CorrectionStep
from api.errors import BadCorrection
from api.evaluation.hypothetical_table import TOLD_FACING_SIGMA_DEG
from models.base import LARGEST_MM, Base, RoundBase
from models.hint import ConfirmedBase, Hint, is_on_table
from models.miniature import Miniature
from models.pose import FacingAlternative
from models.state import CommonMode, Contact, TableState
from models.vocabulary import Id, Point

MOVED_MM = 2.0  # farther than that, beyond its doubt, and it stands in another place
MOST_PLACED = 200  # bases that stand by hand on one table
_CAMERA_NAME = re.compile(r"m\d+")


def is_where_seen(miniature: Miniature, seen_mm: Point) -> bool:
    """Whether it still stands where it was seen, as far as anybody can tell."""
    (a, _), (_, d) = miniature.covariance()
    return math.dist(miniature.at_mm, seen_mm) <= MOVED_MM + 3 * math.sqrt(a + d)


def place_base(state: TableState, correction: BaseCorrection) -> TableState:
    """The table with this base on it: where the hand placed it, or where it is measured since, in the given size.

    Raises: BadCorrection where that lies off this table.
    """
    if correction.is_over:
        return state
    if (off := _find_off_table(state, correction.at_mm)) is not None:
        raise BadCorrection(off[2], field=off[0], value=off[1])
    if correction.measured_id is not None and correction.id not in state.by_id:
        state = _rename(state, correction.measured_id, correction.id)
    miniature = state.by_id.get(correction.id)
    if isinstance(miniature, Miniature):
        return _replace_miniature(state, miniature, correction)
    if correction.seen_mm is not None or correction.measured_id is not None:
        return state  # it was measured once, and has left the table
    added = Miniature.model_validate({"id": correction.id, "base": correction.base} | _hand_placed(correction, None))
    room = tuple(m for m in state.miniatures if m.placement == "by-hand" or not _stand_upon(m, added.at_mm, added.base))
    unconfirmed = tuple(u for u in state.unconfirmed if not _stand_upon(u, added.at_mm, added.base))
    state = state.with_miniatures((*room, added))
    return state.with_sightings(looked_for=state.looked_for, unconfirmed=unconfirmed)


def find_misplacement(state: TableState, correction: BaseCorrection) -> tuple[str, Any, str] | None:
    """The field that is wrong, its value, and a sentence that says why; None when the base may stand there."""
    at_mm, id_, (x, y) = correction.at_mm, correction.id, correction.at_mm
    if (off := _find_off_table(state, at_mm)) is not None:
        return off
    if max(_sides_mm(correction.base)) > LARGEST_MM:
        return "base", correction.base.model_dump(), f"base: no base is larger than {LARGEST_MM:g} mm"
    thing = state.by_id.get(id_)
    if thing is not None and not isinstance(thing, Miniature):
        return "id", id_, f"id: {id_!r} is no miniature; an added base needs a name that nothing has yet"
    if thing is None and _CAMERA_NAME.fullmatch(id_):
        return "id", id_, f"id: there is no {id_!r} on the table; the camera alone gives such names"
    others = [m for m in state.miniatures if m.id != id_ and "removed" not in m.status]
    upon = next((m.id for m in others if _stand_upon(m, at_mm, correction.base)), None)
    if upon is not None:
        return "at_mm", list(at_mm), f"at_mm: {upon!r} stands at {x:.0f}, {y:.0f} mm; give its id to change that one"
    if thing is None and sum(m.placement == "by-hand" for m in others) >= MOST_PLACED:
        return "id", id_, f"id: with {id_!r} more than {MOST_PLACED} bases would stand by hand; that is the most"
    return None


def hints_of(correction: Correction, table_mm: Point) -> Iterator[Hint]:
    """Where the camera should look again: what was placed by hand and not measured since.

    What was no base is not looked at otherwise: a miniature may have moved there.
    """
    if isinstance(correction, CorrectionGroup):
        for single in correction.corrections:
            yield from hints_of(single, table_mm)
    elif isinstance(correction, BaseCorrection) and _is_added(correction) and is_on_table(correction.at_mm, table_mm):
        yield Hint(at_mm=correction.at_mm, base=correction.base, sigma_mm=correction.sigma_mm)


def recognize_bases(correction: Correction, now: TableState, *, known: Set[Id]) -> Iterator[tuple[Id, Id | None]]:
    """Each added base where another stands now, and the camera's name for it.

    None where that is one of the `known`: it was moved there, so the added one is there no more.
    """
    if isinstance(correction, CorrectionGroup):
        for single in correction.corrections:
            yield from recognize_bases(single, now, known=known)
    elif isinstance(correction, BaseCorrection) and _is_added(correction) and correction.id in now.by_id:
        if getattr(now.by_id[correction.id], "placement", None) != "by-hand":  # followed under its own name
            yield correction.id, correction.id
    elif isinstance(correction, BaseCorrection) and _is_added(correction):
        upon = [m for m in now.miniatures if _stand_upon(m, correction.at_mm, correction.base)]
        if any(m.id in known for m in upon):
            yield correction.id, None
        elif same := [m for m in upon if m.base == correction.base]:
            yield correction.id, min(same, key=lambda m: math.dist(m.at_mm, correction.at_mm)).id


def note_measured_base(correction: Correction, id_: Id, measured_id: Id | None) -> Correction:
    """The same correction, with the camera's name for the base that was added as `id_`; None: it is there no more."""
    if isinstance(correction, CorrectionGroup):
        noted = tuple(note_measured_base(single, id_, measured_id) for single in correction.corrections)
        return CorrectionGroup.model_validate({"do": "several", "corrections": noted})
    if not isinstance(correction, BaseCorrection) or correction.id != id_:
        return correction
    return BaseCorrection(**{**dict(correction), "measured_id": measured_id, "is_over": measured_id is None})


def confirmed_bases(steps: Iterable[CorrectionStep], measured: TableState) -> tuple[ConfirmedBase, ...]:
    """What a tracker keeps under its name: where the newest word places each, or where it was measured since."""
    confirmed: dict[Id, ConfirmedBase] = {}
    for step in steps:
        if not step.is_undone:
            confirmed |= {base.id: base for base in _confirmed_in(step.correction, step.n, measured)}
    return tuple(confirmed.values())


def _confirmed_in(correction: Correction, n: int, measured: TableState) -> Iterator[ConfirmedBase]:
    if isinstance(correction, CorrectionGroup):
        for single in correction.corrections:
            yield from _confirmed_in(single, n, measured)
    elif (
        isinstance(correction, BaseCorrection)
        and not correction.is_over
        and not _find_off_table(measured, correction.at_mm)
    ):
        id_ = correction.measured_id or correction.id
        seen, at_mm = measured.by_id.get(id_), correction.at_mm
        if isinstance(seen, Miniature) and not _is_place_held(seen, correction):
            at_mm = seen.at_mm
        elif seen is None and not _is_added(correction):
            return  # it has left the table
        placed = {name: getattr(correction, name) for name in ("base", "turn_deg", "sigma_mm")}
        yield ConfirmedBase(step=n, id=id_, at_mm=at_mm, **placed)


def is_added(correction: Correction, id_: Id) -> bool:
    """Whether it adds this base, which stands by hand alone so far."""
    if isinstance(correction, CorrectionGroup):
        return any(is_added(single, id_) for single in correction.corrections)
    return isinstance(correction, BaseCorrection) and correction.id == id_ and _is_added(correction)


def _is_added(correction: BaseCorrection) -> bool:
    """Whether it stands by hand alone: the camera has measured none there so far."""
    return correction.seen_mm is None and correction.measured_id is None and not correction.is_over


def _replace_miniature(state: TableState, miniature: Miniature, correction: BaseCorrection) -> TableState:
    changes: dict[str, Any] = {"base": correction.base, "base_alternatives": ()}
    is_placed = _is_place_held(miniature, correction)
    if is_placed:
        changes |= _hand_placed(correction, miniature)
    elif miniature.base == correction.base:
        return state
    changed = Miniature.model_validate(miniature.model_dump() | changes)
    state = state.with_miniatures(tuple(changed if m.id == miniature.id else m for m in state.miniatures))
    return _without_ties(state, miniature.id) if is_placed else state


def _is_place_held(miniature: Miniature, correction: BaseCorrection) -> bool:
    """Whether the camera still has it where it was wrong; what another hand placed the later word moves."""
    if miniature.placement == "by-hand":
        return True
    if correction.seen_mm is None or not is_where_seen(miniature, correction.seen_mm):
        return False
    is_resized = miniature.base == correction.base and correction.seen_base != correction.base
    return not is_resized or not _stand_upon(miniature, correction.at_mm, correction.base)


def _hand_placed(correction: BaseCorrection, miniature: Miniature | None) -> dict[str, Any]:
    """The fields of a miniature that stands where a hand placed it."""
    sigma = {} if miniature is None else miniature.sigma.model_dump()
    placed = {"at_mm": correction.at_mm, "placement": "by-hand", "covariance_mm2": None}
    if correction.turn_deg is None:
        return placed | {"sigma": sigma | {"at_mm": correction.sigma_mm}}
    turns = [correction.turn_deg % 360.0, (correction.turn_deg + 180.0) % 360.0]
    measured_deg = None if miniature is None else miniature.facing_deg
    if measured_deg is not None:
        turns.sort(key=lambda deg: abs(math.remainder(deg - measured_deg, 360.0)))
    is_sense_known = measured_deg is not None and miniature is not None and not miniature.facing_alternatives
    other = () if is_sense_known else (FacingAlternative(facing_deg=turns[1], probability=0.5),)
    sigma |= {"at_mm": correction.sigma_mm, "facing_deg": TOLD_FACING_SIGMA_DEG}
    return placed | {"sigma": sigma, "facing_deg": turns[0], "facing_alternatives": other}


def _stand_upon(other: Any, at_mm: Point, base: Base) -> bool:
    """Whether two bases cannot both be there: the middle of one lies well within the other."""
    return math.dist(other.at_mm, at_mm) < max(min(_sides_mm(other.base)), min(_sides_mm(base))) / 2


def _sides_mm(base: Base) -> tuple[float, float]:
    return (base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (base.width_mm, base.depth_mm)


def _find_off_table(state: TableState, at_mm: Point) -> tuple[str, Any, str] | None:
    table_mm = state.table.width_mm, state.table.depth_mm
    if is_on_table(at_mm, table_mm):
        return None
    says = "at_mm: {:.0f}, {:.0f} mm lies off the table of {:g} x {:g} mm".format(*at_mm, *table_mm)
    return "at_mm", list(at_mm), says


def _without_ties(state: TableState, id_: Id) -> TableState:
    """The table without what was measured of this one together with others: contacts and errors in common."""
    fields = {name: getattr(state, name) for name in type(state).model_fields}
    fields["contacts"] = tuple(c for c in state.contacts if id_ not in (c.a, c.b))
    fields["common_mm"] = tuple(_mode_of(mode, {id_: None}) for mode in state.common_mm)
    return TableState(**fields)


def _rename(state: TableState, measured_id: Id, id_: Id) -> TableState:
    """The table on which the miniature that the camera calls `measured_id` is `id_`."""
    names: dict[Id, Id | None] = {measured_id: id_}
    fields = {name: getattr(state, name) for name in type(state).model_fields}
    fields["miniatures"] = tuple(
        Miniature.model_validate(m.model_dump() | {"id": id_}) if m.id == measured_id else m for m in state.miniatures
    )
    fields["contacts"] = tuple(
        Contact(a=names.get(c.a) or c.a, b=names.get(c.b) or c.b, probability=c.probability) for c in state.contacts
    )
    fields["common_mm"] = tuple(_mode_of(mode, names) for mode in state.common_mm)
    return TableState(**fields)


def _mode_of(mode: CommonMode, names: dict[Id, Id | None]) -> CommonMode:
    """The same error in common under these names; None: of all but that one."""
    shifts = {names.get(id_, id_): shift for id_, shift in mode.shift_mm.items()}
    turns = {names.get(id_, id_): turn for id_, turn in mode.turn_deg.items()}
    shifts.pop(None, None), turns.pop(None, None)
    return CommonMode.model_validate({"name": mode.name, "shift_mm": shifts, "turn_deg": turns})
