"""The rule of least disturbance: who makes room for a base that came to lie on others."""

from pydantic import JsonValue

from models.queries import LeastDisturbance
from models.verdict import Witness
from models.words import Point
from referee.candidates import in_play
from referee.displacing import Moved, least_disturbed, nearest_free
from referee.editions.warmachine_prime.ground import is_colossus
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.room import solid_terrain
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation

_STAYS = because("Rule of Least Disturbance", 35, "What moved stays; the fewest others move, together the least.")
_IMMOVABLE = because("Rule of Least Disturbance", 35, "Over a base that cannot be moved the moving one makes room.")
_TIES = because("Rule of Least Disturbance", 35, "Where several places are as near one is drawn.")
_CLEAR = because("Rule of Least Disturbance", 35, "Nothing lies under it; nobody is moved.")
_BEYOND_MM = 500.0  # as far out as anything could be moved over the table's edge


def least_disturbance(table: Situation, query: LeastDisturbance) -> Ruling:
    """Who is moved aside, and where to, so that no bases overlap. Source: Rule of Least Disturbance, p. 35."""
    under = _under(table, query.mover)
    fixed = [id_ for id_ in under if _is_fixed(table, id_)]
    if fixed:
        found = Moved(*_mover_goes(table, query.mover))
    elif under:
        solid = _solid(table, query.mover, *(i for i in in_play(table, query.mover) if i not in under))
        found = least_disturbed({id_: table.base(id_) for id_ in under}, solid)
    else:
        found = Moved({}, 0.0)
    ties: list[JsonValue] = [id_ for id_ in found.places if _is_centred(table, query.mover, id_)]
    reasons = (_CLEAR,) if not under else ((_IMMOVABLE,) if fixed else (_STAYS,))
    return Ruling(
        status="measured",
        value={
            "poses": {id_: {"at_mm": list(at)} for id_, at in found.places.items()},
            "total_mm": found.total_mm,
            "ties": ties,
        },
        lengths_mm={"total": found.total_mm},
        witness=tuple(w for id_, at in found.places.items() for w in _drawn(table, id_, at)),
        because=(*reasons, *((_TIES,) if ties else ())),
        readings=("displaced",),
        touches=(query.mover, *under),
    )


def _under(table: Situation, mover: str) -> tuple[str, ...]:
    """Those it lies on; what only touches stays."""
    base, tolerance = table.base(mover), table.state.contact_tolerance_mm
    return tuple(id_ for id_ in in_play(table, mover) if gap(base, table.base(id_)).mm < -tolerance)


def _is_fixed(table: Situation, id_: str) -> bool:
    """Source: Massive, p. 67, 75, 99."""
    return is_colossus(table.miniature(id_)) or table.miniature(id_).has("massive")


def _mover_goes(table: Situation, mover: str) -> tuple[dict[str, Point], float]:
    """Source: Rule of Least Disturbance, p. 35: over what cannot be moved the mover makes room."""
    solid = _solid(table, *in_play(table, mover))
    at = nearest_free(table.base(mover), solid)
    x, y = table.centre(mover)
    return {mover: at}, ((at[0] - x) ** 2 + (at[1] - y) ** 2) ** 0.5


def _solid(table: Situation, *ids: str) -> list[Rounded]:
    """What keeps its place: these bases, solid terrain, and what lies beyond the table's edge."""
    bases = [table.base(id_) for id_ in ids]
    ground = [part for id_ in solid_terrain(table) for part in table.area(id_).parts]
    return [*bases, *ground, *_beyond(table)]


def _beyond(table: Situation) -> list[Rounded]:
    width, depth = table.state.table.width_mm, table.state.table.depth_mm
    far = _BEYOND_MM
    boxes = ((-far, -far, width + far, 0.0), (-far, depth, width + far, depth + far), (-far, -far, 0.0, depth + far),
             (width, -far, width + far, depth + far))  # fmt: skip
    return [Rounded(((x0, y0), (x1, y0), (x1, y1), (x0, y1))) for x0, y0, x1, y1 in boxes]


def _is_centred(table: Situation, mover: str, id_: str) -> bool:
    """Whether it lay right under the middle, so that no way out is shorter than another."""
    (ax, ay), (bx, by) = table.centre(mover), table.centre(id_)
    return abs(ax - bx) < 1e-6 and abs(ay - by) < 1e-6


def _drawn(table: Situation, id_: str, at: Point) -> tuple[Witness, ...]:
    base = table.base(id_)
    return (
        Witness(type="segment", role="path", points_mm=(base.centre, at), of=(id_,)),
        Witness(type="circle", role="hit", centre_mm=at, radius_mm=base.reach_mm, of=(id_,)),
    )
