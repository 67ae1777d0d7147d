"""Two cameras' states become one: by their doubt, and never silently where they disagree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.base import RoundBase
from models.errors import BadState
from models.miniature import Miniature
from models.pose import Sigma
from models.state import CommonMode, TableSize, TableState
from vision.camera_fusion import fuse_states

SIZE = TableSize(width_mm=1828.8, depth_mm=1219.2)
Place = tuple[float, float]


def _base(id_: str, at_mm: Place, *, sigma_mm: float = 0.3, size_mm: float = 30, **more: object) -> Miniature:
    facing = more.pop("facing_sigma_deg", 0.0)
    return Miniature.model_validate(
        {
            "id": id_,
            "base": RoundBase(diameter_mm=size_mm),
            "at_mm": at_mm,
            "sigma": Sigma(at_mm=sigma_mm, facing_deg=facing),
        }
        | more
    )


def _table(*miniatures: Miniature, common: tuple[CommonMode, ...] = ()) -> TableState:
    return TableState(edition="warmachine-prime", table=SIZE, miniatures=miniatures, common_mm=common)


def _variance(miniature: Miniature) -> float:
    return miniature.covariance()[0][0]


def test_two_equal_views_meet_half_way_and_are_surer() -> None:
    found = fuse_states(_table(_base("m1", (900.0, 500.0))), _table(_base("m9", (900.4, 500.2)))).state.miniatures

    assert [one.id for one in found] == ["m1"]
    assert found[0].at_mm == pytest.approx((900.2, 500.1), abs=2e-3)
    assert _variance(found[0]) == pytest.approx(0.3**2 / 2, rel=1e-4)


def test_the_surer_camera_weighs_more() -> None:
    sure, unsure = _base("m1", (900.0, 500.0), sigma_mm=0.1), _base("m1", (900.5, 500.0), sigma_mm=0.3)

    assert fuse_states(_table(sure), _table(unsure)).state.miniatures[0].at_mm[0] == pytest.approx(900.05, abs=2e-3)


def test_exact_states_stay_exact() -> None:
    exact = _base("m1", (900.0, 500.0), sigma_mm=0.0)
    merged = fuse_states(_table(exact), _table(exact))

    assert merged.state.miniatures[0].is_exact()
    assert merged.disagreements == ()


def test_what_one_camera_sees_alone_is_kept_with_its_doubt() -> None:
    left, right = _base("m1", (300.0, 500.0), sigma_mm=0.2), _base("m2", (1500.0, 700.0), sigma_mm=0.4)
    merged = fuse_states(_table(left), _table(right))

    assert merged.came_from == {"m1": ("m1", None), "m2": (None, "m2")}
    assert [_variance(one) for one in merged.state.miniatures] == pytest.approx([0.04, 0.16])


def test_an_id_that_both_use_for_different_bases_is_given_once() -> None:
    merged = fuse_states(_table(_base("m1", (300.0, 500.0))), _table(_base("m1", (1500.0, 700.0))))

    assert set(merged.came_from.values()) == {("m1", None), (None, "m1")}
    assert len({one.id for one in merged.state.miniatures}) == 2


def test_bases_of_different_sizes_are_not_one() -> None:
    merged = fuse_states(_table(_base("m1", (900.0, 500.0))), _table(_base("m2", (900.1, 500.0), size_mm=40)))

    assert len(merged.state.miniatures) == 2


def test_each_goes_to_its_nearest() -> None:
    first = _table(_base("a", (900.0, 500.0)), _base("b", (931.0, 500.0)))
    second = _table(_base("x", (930.8, 500.1)), _base("y", (900.1, 499.9)))

    assert fuse_states(first, second).came_from == {"a": ("a", "y"), "b": ("b", "x")}


def test_a_base_the_cameras_disagree_on_is_named_and_not_averaged() -> None:
    sure, other = _base("m1", (900.0, 500.0), sigma_mm=0.2), _base("m1", (904.0, 500.0), sigma_mm=0.3)
    merged = fuse_states(_table(sure), _table(other))
    (wrong,) = merged.disagreements

    assert (wrong.id, wrong.apart_mm) == ("m1", pytest.approx(4.0))
    assert merged.state.miniatures[0].at_mm == (900.0, 500.0)
    assert _variance(merged.state.miniatures[0]) == pytest.approx(0.04 + 16)


def test_errors_that_a_camera_shares_stay_apart_for_each_camera() -> None:
    shared = CommonMode(name="pose-1", shift_mm={"m1": (0.4, 0.0), "m2": (0.4, 0.0)})
    bases = _base("m1", (900.0, 500.0), sigma_mm=0.5), _base("m2", (950.0, 500.0), sigma_mm=0.5)
    merged = fuse_states(
        _table(*bases, common=(shared,)), _table(*bases, common=(shared,)), names=("left", "right")
    ).state

    assert [mode.name for mode in merged.common_mm] == ["left:pose-1", "right:pose-1"]
    assert merged.common_mm[0].shift_mm["m1"] == pytest.approx((0.2, 0.0))
    assert _variance(merged.miniatures[0]) == pytest.approx(0.5**2 / 2)


def test_two_facings_that_contradict_each_other_are_both_kept() -> None:
    east = _base("m1", (900.0, 500.0), facing_deg=2.0, facing_sigma_deg=1.5)
    west = _base("m1", (900.1, 500.0), facing_deg=181.0, facing_sigma_deg=2.0)
    merged = fuse_states(_table(east), _table(west))
    ways = merged.state.miniatures[0].facing_alternatives

    assert [way.facing_deg for way in ways] == [2.0, 181.0]
    assert [one.is_facing for one in merged.disagreements] == [True]


def test_a_facing_that_one_camera_sees_is_taken() -> None:
    merged = fuse_states(_table(_base("m1", (900.0, 500.0))), _table(_base("m1", (900.1, 500.0), facing_deg=77.0)))

    assert merged.state.miniatures[0].facing_deg == 77.0


def test_a_camera_that_was_bumped_raises_the_alarm() -> None:
    """No base alone is far enough off to be named; all of them together are."""
    places = [(820.0 + 30 * i, 200.0 + 90 * i) for i in range(9)]
    first = _table(*(_base(f"m{i}", place) for i, place in enumerate(places)))
    second = _table(*(_base(f"m{i}", (x + 0.9, y)) for i, (x, y) in enumerate(places)))
    merged = fuse_states(first, second)

    assert merged.disagreements == ()
    assert merged.overlap.is_alarming
    assert merged.overlap.apart_mm == pytest.approx(0.9)
    assert merged.overlap.shift_mm == pytest.approx((-0.9, 0))


def test_a_shared_error_that_was_said_is_no_alarm() -> None:
    places = [(820.0 + 30 * i, 200.0 + 90 * i) for i in range(9)]
    shared = CommonMode(name="pose-1", shift_mm={f"m{i}": (0.9, 0.0) for i in range(9)})
    first = _table(*(_base(f"m{i}", place) for i, place in enumerate(places)))
    second = _table(*(_base(f"m{i}", (x + 0.9, y), sigma_mm=0.95) for i, (x, y) in enumerate(places)), common=(shared,))

    assert not fuse_states(first, second).overlap.is_alarming


def test_no_overlap_is_said() -> None:
    merged = fuse_states(_table(_base("m1", (300.0, 500.0))), _table(_base("m2", (1500.0, 700.0))))

    assert (merged.overlap.bases, merged.overlap.is_alarming) == (0, False)


def test_states_of_different_tables_are_refused() -> None:
    other = TableState(edition="warmachine-prime", table=TableSize(width_mm=1219.2, depth_mm=1219.2))
    with pytest.raises(BadState) as raised:
        fuse_states(_table(), other)

    assert raised.value.field == "table"


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)), min_size=1, max_size=6))
def test_which_camera_comes_first_does_not_matter(shifts: list[Place]) -> None:
    places = [(700.0 + 60 * i, 300.0 + 40 * i) for i in range(len(shifts))]
    first = _table(*(_base(f"m{i}", place, sigma_mm=0.2) for i, place in enumerate(places)))
    second = _table(
        *(_base(f"m{i}", (x + dx, y + dy)) for i, ((x, y), (dx, dy)) in enumerate(zip(places, shifts, strict=True)))
    )
    one, other = fuse_states(first, second).state, fuse_states(second, first).state

    for a, b in zip(one.miniatures, other.miniatures, strict=True):
        assert a.at_mm == pytest.approx(b.at_mm, abs=1.5e-3)
        assert np.array(a.covariance()) == pytest.approx(np.array(b.covariance()), abs=1e-6)
