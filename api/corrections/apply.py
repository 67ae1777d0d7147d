"""Apply a correction: a table and a correction -> the table as corrected, candidates for bases included."""

import math
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from pydantic import ValidationError

from api.corrections.placed_bases import find_misplacement, is_where_seen, place_base
from api.corrections.schemas import (
    AbsenceCorrection,
    ArmyCorrection,
    BaseCorrection,
    CandidateCorrection,
    CompletionCorrection,
    ContactCorrection,
    Correction,
    CorrectionGroup,
    MiniatureCorrection,
    PlacementCorrection,
    RemovalCorrection,
    SingleCorrection,
    TableCorrection,
    TerrainRejection,
    standing_ids,
)
from api.errors import BadCorrection
from api.evaluation.hypothetical_table import TOLD_FACING_SIGMA_DEG
from models.miniature import Miniature
from models.pose import FacingAlternative, Sigma
from models.references import find_broken_reference, placed_ids, supported_effects, supported_objectives
from models.state import Contact, TableState
from models.terrain import Effect
from models.unconfirmed_base import UnconfirmedBase
from models.unit import Unit
from models.vocabulary import Id

CANDIDATE_MOVED_MM = 5.0  # farther than that, beyond its doubt, and another thing is meant
NEAR_DEG = 45.0  # a thumb that points is this far off at most: it chooses among the measured facings


def apply_correction(state: TableState, correction: Correction) -> TableState:
    """The table with the correction laid over it; what it names and is not there is passed over.

    Raises: BadCorrection when that would be no table.
    """
    try:
        match correction:
            case MiniatureCorrection():
                return _correct_miniatures(state, correction)
            case PlacementCorrection():
                return _replace(state, **_with_laid(state, correction))
            case RemovalCorrection():
                return _take_away(state, frozenset(correction.ids))
            case ContactCorrection():
                return _correct_contact(state, correction)
            case TerrainRejection() | AbsenceCorrection() | ArmyCorrection():
                return state
            case CandidateCorrection():
                return settle_candidate(state, correction)
            case BaseCorrection():
                return place_base(state, correction)
            case CompletionCorrection(seen_ids=seen_ids):
                return state.with_roll_call(is_complete=frozenset(seen_ids).issuperset(standing_ids(state)))
            case TableCorrection():
                return _replace(state, **correction.stated_fields())
            case CorrectionGroup():
                return reduce(apply_correction, correction.corrections, state)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadCorrection(f"{field or 'the table'}: {first['msg']}", field=field, value=None) from wrong


MissingThing = tuple[str, Any, str]
"""The field that names it, its value, and a sentence."""


def find_missing(state: TableState, correction: Correction) -> MissingThing | None:
    """The first that is named and is not on the table, or that has no place there; None when all are there."""
    match correction:
        case PlacementCorrection():
            return _find_unsupported(state, correction)
        case CorrectionGroup():
            return _find_missing_in_group(state, correction)
        case BaseCorrection():
            return find_misplacement(state, correction)
        case CandidateCorrection():
            is_there = find_candidate(state, correction) is not None
            return None if is_there else ("at_mm", None, "nothing unconfirmed lies there any more")
        case _:
            named = _find_unknown_id(state, correction)
            return None if named is None else (*named, f"there is no {named[1]!r} on the table")


def _find_missing_in_group(state: TableState, group: CorrectionGroup) -> MissingThing | None:
    """What is not there when its turn comes: what was laid before is there, what was taken away is not."""
    for i, correction in enumerate(group.corrections):
        if (missing := find_missing(state, correction)) is not None:
            field, id_, says = missing
            return f"corrections.{i}.{field}", id_, says
        state = apply_correction(state, correction)
    return None


def _find_unsupported(state: TableState, lay: PlacementCorrection) -> MissingThing | None:
    """The first effect or objective of these that would lie on nothing."""
    laid = _with_laid(state, lay)
    broken = find_broken_reference(
        (*lay.effects, *(e for e in laid["effects"] if e not in lay.effects)),
        lay.objectives,
        known=_known_ids(state, laid),
        terrain=(piece.id for piece in laid["terrain"]),
    )
    return None if broken is None else (broken.field, broken.value, broken.says)


def _find_unknown_id(state: TableState, correction: Correction) -> tuple[str, Id] | None:
    match correction:
        case MiniatureCorrection():
            named = [(f"ids.{i}", id_) for i, id_ in enumerate(correction.ids)]
        case ContactCorrection():
            named = [("a", correction.a), ("b", correction.b)]
        case RemovalCorrection():
            return next(((f"ids.{i}", id_) for i, id_ in enumerate(correction.ids) if id_ not in state.by_id), None)
        case _:
            return None
    standing = {m.id for m in state.miniatures}
    return next(((field, id_) for field, id_ in named if id_ not in standing), None)


def _correct_miniatures(state: TableState, correction: MiniatureCorrection) -> TableState:
    miniatures = tuple(_correct_miniature(m, correction) if m.id in correction.ids else m for m in state.miniatures)
    units = state.units
    if correction.unit is not None and correction.unit not in {unit.id for unit in units}:
        side = next((m.side for m in miniatures if m.id in correction.ids), None)
        units = (*units, Unit(id=correction.unit, name=correction.unit, side=side))
    return _replace(state, miniatures=miniatures, units=units)


def _correct_miniature(miniature: Miniature, about: MiniatureCorrection) -> Miniature:
    changes = {name: value for name, value in about.stated_fields().items() if name != "facing_deg"}
    seen_mm = about.seen_mm.get(miniature.id)
    if about.facing_deg is not None and seen_mm is not None and is_where_seen(miniature, seen_mm):
        changes |= _choose_facing(miniature, about.facing_deg)
    if "base" in changes:
        changes["base_alternatives"] = ()
    return Miniature.model_validate(miniature.model_dump() | changes) if changes else miniature


def _choose_facing(miniature: Miniature, told_deg: float) -> dict[str, Any]:
    measured = [alternative.facing_deg for alternative in miniature.facing_alternatives]
    measured += [] if miniature.facing_deg is None else [miniature.facing_deg]
    nearest = min(measured, key=lambda deg: _angle_between_deg(deg, told_deg), default=None)
    is_meant = nearest is not None and _angle_between_deg(nearest, told_deg) <= NEAR_DEG
    sigma_deg = miniature.sigma.facing_deg if is_meant else TOLD_FACING_SIGMA_DEG
    return {
        "facing_deg": nearest if is_meant else told_deg,
        "facing_alternatives": (),
        "sigma": miniature.sigma.model_dump() | {"facing_deg": sigma_deg},
    }


def _angle_between_deg(a: float, b: float) -> float:
    return abs((a - b + 180.0) % 360.0 - 180.0)


def _with_laid(state: TableState, lay: PlacementCorrection) -> dict[str, tuple[Any, ...]]:
    """The lists of the table with these in them, each in the place of one of the same id."""
    changed = {}
    for name, laid in lay.things():
        ids = {thing.id for thing in laid}
        changed[name] = (*(thing for thing in getattr(state, name) if thing.id not in ids), *laid)
    return changed


def _take_away(state: TableState, ids: frozenset[Id]) -> TableState:
    stays: Callable[[Any], bool] = lambda thing: thing.id not in ids  # noqa: E731 - six lists are sifted by it
    miniatures = tuple(_leave_unit(m) if m.unit in ids else m for m in state.miniatures if stays(m))
    return _replace(
        state,
        miniatures=miniatures,
        units=tuple(filter(stays, state.units)),
        terrain=tuple(filter(stays, state.terrain)),
        effects=tuple(filter(stays, state.effects)),
        objectives=tuple(filter(stays, state.objectives)),
        zones=tuple(filter(stays, state.zones)),
        contacts=tuple(c for c in state.contacts if c.a not in ids and c.b not in ids),
    )


def _leave_unit(miniature: Miniature) -> Miniature:
    return Miniature.model_validate(miniature.model_dump() | {"unit": None})


def _come_out(miniature: Miniature) -> Miniature:
    return Miniature.model_validate(miniature.model_dump() | {"inside": None})


def _correct_contact(state: TableState, correction: ContactCorrection) -> TableState:
    standing = {m.id: m for m in state.miniatures}
    pair, seen_mm = {correction.a, correction.b}, correction.seen_mm
    if not all(id_ in standing and id_ in seen_mm and is_where_seen(standing[id_], seen_mm[id_]) for id_ in pair):
        return state
    others = tuple(contact for contact in state.contacts if {contact.a, contact.b} != pair)
    return _replace(
        state, contacts=(*others, Contact(a=correction.a, b=correction.b, probability=float(correction.is_touching)))
    )


def _replace(state: TableState, **changes: Any) -> TableState:
    """The table with these changes; what lay on something that is gone goes too, or stays where it lies by itself."""
    fields = {name: getattr(state, name) for name in type(state).model_fields} | changes
    ground = {piece.id for piece in fields["terrain"]}
    fields["miniatures"] = tuple(
        m if m.inside is None or m.inside in ground else _come_out(m) for m in fields["miniatures"]
    )
    fields["objectives"] = supported_objectives(fields["objectives"], terrain=ground)
    fields["effects"] = supported_effects(fields["effects"], known=_known_ids(state, fields))
    return TableState(**fields)


def _known_ids(state: TableState, changes: Mapping[str, Any]) -> tuple[Id, ...]:
    """All that has a place on the table with these changes, effects aside."""
    lists = {name: changes.get(name, getattr(state, name)) for name in ("units", "terrain", "objectives", "zones")}
    return tuple(placed_ids(changes.get("miniatures", state.miniatures), **lists))


def name_candidate(index: int) -> str:
    """What a candidate is called on the table and in answers, by its place in the list."""
    return f"?{index + 1}"


def settle_candidate(state: TableState, correction: CandidateCorrection) -> TableState:
    """The table as corrected; where nothing unconfirmed lies there any more it is as measured."""
    candidate = find_candidate(state, correction)
    if candidate is None:
        return state
    rest = tuple(other for other in state.unconfirmed if other is not candidate)
    left = state.with_sightings(looked_for=state.looked_for, unconfirmed=rest)
    if not correction.is_base or correction.id is None:
        return left
    return left.with_miniatures((*left.miniatures, as_miniature(candidate, correction.id)))


def find_candidate(state: TableState, correction: CandidateCorrection) -> UnconfirmedBase | None:
    """The candidate that is meant; None when none lies there."""
    nearest = min(state.unconfirmed, key=lambda base: math.dist(base.at_mm, correction.at_mm), default=None)
    if nearest is None or math.dist(nearest.at_mm, correction.at_mm) > CANDIDATE_MOVED_MM + 3 * nearest.sigma_mm:
        return None
    return nearest


def as_miniature(candidate: UnconfirmedBase, id_: Id) -> Miniature:
    """The miniature that would stand there: of no side, and looking nowhere, or along its base either way."""
    sigma = Sigma(at_mm=candidate.sigma_mm)
    if candidate.base.shape == "round":
        return Miniature(id=id_, base=candidate.base, at_mm=candidate.at_mm, sigma=sigma)
    other_way = FacingAlternative(facing_deg=(candidate.turn_deg + 180.0) % 360.0, probability=0.5)
    return Miniature(
        id=id_,
        base=candidate.base,
        at_mm=candidate.at_mm,
        facing_deg=candidate.turn_deg,
        facing_alternatives=(other_way,),
        sigma=sigma,
    )


def rename_ids(correction: Correction, names: Mapping[Id, Id]) -> Correction:
    """The same correction of the same plastic: each key of `names` was called so by mistake."""
    if isinstance(correction, CorrectionGroup):
        return CorrectionGroup(
            do="several", corrections=tuple(_rename_single(single, names) for single in correction.corrections)
        )
    return _rename_single(correction, names)


def _rename_single(correction: SingleCorrection, names: Mapping[Id, Id]) -> SingleCorrection:
    def now(id_: Id) -> Id:
        return names.get(id_, id_)

    match correction:
        case MiniatureCorrection(ids=ids, seen_mm=seen_mm):
            at_mm = {now(id_): at for id_, at in seen_mm.items()}
            return MiniatureCorrection(**{**dict(correction), "ids": tuple(map(now, ids)), "seen_mm": at_mm})
        case ContactCorrection(a=a, b=b, seen_mm=seen_mm):
            at_mm = {now(id_): at for id_, at in seen_mm.items()}
            return ContactCorrection(**{**dict(correction), "a": now(a), "b": now(b), "seen_mm": at_mm})
        case BaseCorrection(id=id_):
            return BaseCorrection(**{**dict(correction), "id": now(id_)})
        case RemovalCorrection(ids=ids):
            return RemovalCorrection(do="take-away", ids=tuple(map(now, ids)))
        case CompletionCorrection(seen_ids=seen_ids):
            return CompletionCorrection(do="complete", seen_ids=tuple(map(now, seen_ids)))
        case PlacementCorrection(effects=effects) if effects:
            carried = tuple(_rename_carrier(effect, names) for effect in effects)
            return PlacementCorrection(**{**dict(correction), "effects": carried})
        case _:
            return correction


def _rename_carrier(effect: Effect, names: Mapping[Id, Id]) -> Effect:
    on, by = names.get(effect.on or "", effect.on), names.get(effect.by or "", effect.by)
    return Effect(**{**dict(effect), "on": on, "by": by})
