"""Ruling basis: a ruling ends with what it rests on, and with nothing else."""

import math

import shapely
from hypothesis import given
from hypothesis import strategies as st

from api.rulings.entries import StandingThings, basis_of, find_change
from models.base import RoundBase
from models.miniature import Miniature
from models.queries.distances import Distance
from models.queries.sight_and_shooting import Los
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.api.worlds import drop_miniatures, move_miniature, skirmish

PAIR = ("m7", "m10")
PLACE = st.tuples(st.floats(30, 880), st.floats(30, 880))


def sight(state: TableState) -> Verdict:
    return ask(state, Los(viewer="m7", target="m10"))


def circle(m: Miniature) -> shapely.Geometry:
    assert isinstance(m.base, RoundBase)
    return shapely.Point(m.at_mm).buffer(m.base.diameter_mm / 2)


def one(state: TableState, id_: str) -> Miniature:
    return next(m for m in state.miniatures if m.id == id_)


TABLE = skirmish()
BASIS = basis_of(TABLE, PAIR, sight(TABLE))
BETWEEN = shapely.unary_union([circle(one(TABLE, id_)) for id_ in PAIR]).convex_hull


def test_nothing_moved_and_it_holds() -> None:
    assert find_change(BASIS, StandingThings.of(TABLE)) is None


@given(id_=st.sampled_from([m.id for m in TABLE.miniatures]), to_mm=PLACE)
def test_it_ends_when_and_only_when_one_of_it_moves_or_somebody_comes_between(
    id_: str, to_mm: tuple[float, float]
) -> None:
    was, moved = one(TABLE, id_), move_miniature(TABLE, id_, to_mm)
    went_mm = math.dist(was.at_mm, to_mm)
    rests_on_it = id_ in PAIR or id_ in sight(TABLE).blockers or circle(was).distance(BETWEEN) == 0
    apart_mm = circle(one(moved, id_)).distance(BETWEEN)

    ends = find_change(BASIS, StandingThings.of(moved)) is not None

    if (rests_on_it and went_mm > 10) or apart_mm == 0:
        assert ends or went_mm < 10
    if not rests_on_it and apart_mm > 1 and circle(was).distance(BETWEEN) > 6:
        assert not ends


def test_who_leaves_the_table_ends_it() -> None:
    assert find_change(BASIS, StandingThings.of(drop_miniatures(TABLE, "m10"))) is not None


def test_who_turns_ends_it() -> None:
    told = TABLE.with_miniatures(
        tuple(m.with_place(m.at_mm, facing_deg=0.0) if m.id == "m7" else m for m in TABLE.miniatures)
    )
    basis = basis_of(told, PAIR, sight(told))
    turned = told.with_miniatures(
        tuple(m.with_place(m.at_mm, facing_deg=170.0) if m.id == "m7" else m for m in told.miniatures)
    )

    assert find_change(basis, StandingThings.of(turned)) == "Trencher turned"
    assert find_change(BASIS, StandingThings.of(told)) is None or one(TABLE, "m7").facing_deg is not None


def test_measured_again_with_its_noise_it_holds() -> None:
    x, y = one(TABLE, "m10").at_mm

    assert find_change(BASIS, StandingThings.of(move_miniature(TABLE, "m10", (x + 1.0, y - 1.0)))) is None


def test_the_distance_rests_on_the_two() -> None:
    basis = basis_of(TABLE, PAIR, ask(TABLE, Distance(a="m7", b="m10")))

    assert set(PAIR) <= {thing.id for thing in basis.things}
