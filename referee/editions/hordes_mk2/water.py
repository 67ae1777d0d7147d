"""Deep water: what it keeps one from, and whom."""

from pydantic import JsonValue

from models.queries import Water
from models.verdict import CAPPED_MM, Reason, Witness
from referee.areas import reach_into
from referee.candidates import is_met
from referee.editions.hordes_mk2.parameters import WATER_DEFENCE, because
from referee.editions.warmachine_prime.terrain import ground_of
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_DEEP = because("Deep Water", "With any part of its base in deep water it moves at half rate and fights nobody.")
_BARRED = because("Deep Water", "In deep water nobody attacks, engages, casts, or takes an action.")
_SHALLOW = because("Shallow Water", "Shallow water is rough terrain and keeps nobody from anything.")
_FLEES = because("Fleeing", "A fleeing model makes no attacks.")
BARRED = ("run", "charge", "actions", "attacks", "engaging", "spells", "feats", "orders")  # Source: Deep Water
_SHALLOW_KINDS = frozenset({"shallow-water", "water"})


def depths(table: Situation) -> tuple[str, ...]:
    """All deep water on the table. Source: Deep Water."""
    return tuple(t.id for t in table.state.terrain if ground_of(t) == "deep-water")


def is_deep(table: Situation, id_: str) -> bool:
    """Whether any part of the base is in deep water; touching it is. Source: Deep Water."""
    return any(reach_into(table.base(id_), table.area(pool)) >= -1e-9 for pool in depths(table))


def unable(table: Situation, id_: str) -> tuple[str, Reason] | None:
    """What keeps one from attacking besides the words on its card. Source: Deep Water; Fleeing."""
    if "fleeing" in table.miniature(id_).status:
        return "fleeing", _FLEES
    return ("deep-water", _BARRED) if is_deep(table, id_) else None


def water(table: Situation, query: Water) -> Ruling:
    """Whether any part of the base is in water, and what follows. Source: Deep Water; Shallow Water."""
    pools = [t for t in table.state.terrain if query.feature in (None, t.id)]
    wet = [t for t in pools if ground_of(t) == "deep-water" or t.kind in _SHALLOW_KINDS]
    reach = {t.id: reach_into(table.base(query.who), table.area(t.id)) for t in wet}
    if not reach:
        return Ruling(margin_mm=-CAPPED_MM, value=_dry(), because=(_DEEP,), touches=(query.who,))
    deep = {id_: mm for id_, mm in reach.items() if id_ in depths(table)}
    best = max(deep if any(mm >= 0 for mm in deep.values()) else reach, key=lambda id_: reach[id_])
    ruling = Ruling(margin_mm=max(-CAPPED_MM, reach[best]), touches=(query.who, best))
    is_in, is_deep_one = is_met(ruling), best in deep
    told = f"{name_of(table, query.who)} {'reaches' if is_in else 'stays'} {length(abs(reach[best]))} "
    outline = table.area(best).outline
    return Ruling(
        margin_mm=ruling.margin_mm,
        value={
            "kind": ("deep-water" if is_deep_one else "shallow-water") if is_in else None,
            "barred": list(BARRED) if is_in and is_deep_one else [],
            "def_base": WATER_DEFENCE if is_in and is_deep_one else None,
            "concealed": False,
        },
        lengths_mm={"inside": reach[best]},
        witness=(Witness(type="polygon", role="limit", points_mm=outline, of=(best,)),) if outline else (),
        because=(applied(table, _DEEP if is_deep_one else _SHALLOW, f"{told}{'into' if is_in else 'out of'} {best}."),),
        touches=ruling.touches,
    )


def _dry() -> dict[str, JsonValue]:
    return {"kind": None, "barred": [], "def_base": None, "concealed": False}


def base_defence(table: Situation, id_: str) -> float | None:
    """The base DEF that water leaves; None where it leaves the printed one. Source: Deep Water."""
    return WATER_DEFENCE if is_deep(table, id_) else None
