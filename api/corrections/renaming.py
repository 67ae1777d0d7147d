"""A correction that was made while it was not known who is who, with the names that turned out to be right."""

from collections.abc import Mapping

from api.corrections.correction import AboutContact, AboutMiniature, Correction, Several, Single, TakeAway
from models.words import Id


def renamed(correction: Correction, names: Mapping[Id, Id]) -> Correction:
    """The same correction of the same plastic: each key of `names` was called so by mistake."""
    if isinstance(correction, Several):
        return Several(do="several", corrections=tuple(_renamed(one, names) for one in correction.corrections))
    return _renamed(correction, names)


def _renamed(correction: Single, names: Mapping[Id, Id]) -> Single:
    def now(id_: Id) -> Id:
        return names.get(id_, id_)

    match correction:
        case AboutMiniature(ids=ids, seen_mm=seen_mm):
            at_mm = {now(id_): at for id_, at in seen_mm.items()}
            return AboutMiniature(**{**dict(correction), "ids": tuple(map(now, ids)), "seen_mm": at_mm})
        case AboutContact(a=a, b=b, seen_mm=seen_mm):
            at_mm = {now(id_): at for id_, at in seen_mm.items()}
            return AboutContact(**{**dict(correction), "a": now(a), "b": now(b), "seen_mm": at_mm})
        case TakeAway(ids=ids):
            return TakeAway(do="take-away", ids=tuple(map(now, ids)))
        case _:
            return correction
