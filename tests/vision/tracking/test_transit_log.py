"""Who still stood in his place when another already stood in his."""

import numpy as np
import pytest

from tests.vision import rendered
from tests.vision.fits import fit
from vision.tracking.change_detection import Overview, RectifiedView
from vision.tracking.transit_log import TransitLog

EYE = rendered.Eye()
OVERVIEW = Overview(rendered.TABLE_MM, camera=EYE.camera(), pose=EYE.pose())
SKIN = (120.0, 150.0, 200.0)
OLD = ((120.0, 120.0), (300.0, 120.0))
NEW = ((120.0, 300.0), (300.0, 300.0))


Place = tuple[float, float]


def _view(*places: Place, hand: Place | None = None) -> RectifiedView:
    return _view_of(places, hand=hand)


def _view_of(places: tuple[Place, ...], *, hand: Place | None = None) -> RectifiedView:
    balls = () if hand is None else (rendered.Ball((*hand, 50.0), 45.0, SKIN),)
    return OVERVIEW.make_view(
        rendered.photograph(rendered.Scene(tuple(rendered.Base(at, 30.0, seed=3) for at in places), balls))
    )


def _excluded(*seen: RectifiedView) -> list[list[bool]]:
    log = TransitLog()
    for k, view in enumerate(seen):
        log.record(view, t_s=0.2 * k)
    found = log.find_exclusions(
        _view(*OLD), _view(*NEW), OVERVIEW.window, old=[fit(at) for at in OLD], new=[fit(at) for at in NEW]
    )
    return found.tolist()


def test_whoever_was_seen_when_a_place_was_taken_did_not_take_it() -> None:
    """The first is carried away and put down while the second still stands there."""
    first_is_up = _view(OLD[1], hand=OLD[0])
    first_is_down = _view(NEW[0], OLD[1])

    assert _excluded(first_is_up, first_is_down, _view(NEW[0], hand=OLD[1])) == [[False, False], [True, False]]


def test_when_both_are_out_of_sight_together_nothing_is_excluded() -> None:
    both_covered = _view(hand=(210.0, 120.0))

    assert not np.any(_excluded(both_covered, _view(hand=(210.0, 200.0)), _view(hand=(210.0, 300.0))))


def test_a_place_that_was_covered_again_counts_from_when_it_was_last_seen_taken() -> None:
    taken, covered = _view(NEW[0], OLD[1]), _view(OLD[1], hand=NEW[0])

    assert _excluded(taken, covered, _view(NEW[0])) == [[False, False], [False, False]]


def test_what_was_forgotten_excludes_nobody() -> None:
    log = TransitLog()
    log.record(_view(NEW[0], OLD[1]), t_s=0.0)
    log.clear()
    fits = [fit(at) for at in OLD], [fit(at) for at in NEW]

    assert not log.find_exclusions(_view(*OLD), _view(*NEW), OVERVIEW.window, old=fits[0], new=fits[1]).any()


@pytest.mark.parametrize("count", [170, 700])
def test_a_long_wait_is_remembered_thinly(count: int) -> None:
    """However long a hand stays, its first moment is kept."""
    log, view = TransitLog(), _view(NEW[0], OLD[1])
    for k in range(count):
        log.record(view, t_s=0.2 * k)
    for k in range(count, count + 40):
        log.record(_view_cached(), t_s=0.2 * k)
    found = log.find_exclusions(
        _view(*OLD), _view(*NEW), OVERVIEW.window, old=[fit(at) for at in OLD], new=[fit(at) for at in NEW]
    )

    assert found.tolist() == [[False, False], [True, False]]


def _view_cached(made: list[RectifiedView] = []) -> RectifiedView:  # noqa: B006 - drawn once
    if not made:
        made.append(_view(NEW[0], hand=OLD[1]))
    return made[0]


def _ways(
    *seen: RectifiedView, before: RectifiedView, after: RectifiedView, moves: dict[str, tuple[Place, Place]]
) -> dict[str, list[Place]]:
    log = TransitLog()
    for k, view in enumerate(seen):
        log.record(view, t_s=0.2 * k)
    fits = {id_: (fit(start), fit(end)) for id_, (start, end) in moves.items()}
    found = log.trajectories(fits, before, after, OVERVIEW.window, camera_mm=EYE.pose().centre_mm)
    return {id_: [one.at_mm for one in way] for id_, way in found.items()}


def test_a_base_that_is_pushed_in_sight_is_seen_all_along_its_way() -> None:
    way = [(150.0, 150.0), (190.0, 190.0), (250.0, 200.0)]
    start, end = (120.0, 120.0), (300.0, 210.0)
    found = _ways(
        *(_one(at) for at in (start, *way, end)), before=_one(start), after=_one(end), moves={"m1": (start, end)}
    )

    assert np.allclose(found["m1"], way, atol=2.0)


def test_under_a_hand_nobody_is_seen_on_his_way() -> None:
    start, end = (120.0, 120.0), (300.0, 210.0)
    hands = [_view_of((start,), hand=start), _view_of((), hand=(200.0, 160.0)), _view_of((end,), hand=end)]

    assert _ways(*hands, before=_one(start), after=_one(end), moves={"m1": (start, end)}) == {"m1": []}


def test_of_look_alikes_that_moved_together_no_way_is_told() -> None:
    halfway = _view((120.0, 200.0), (300.0, 200.0))
    moves = {f"m{k}": (a, b) for k, (a, b) in enumerate(zip(OLD, NEW, strict=True))}

    assert _ways(halfway, before=_view(*OLD), after=_view(*NEW), moves=moves) == {}


def test_another_that_looks_alike_and_stood_there_all_along_is_no_waypoint() -> None:
    start, end, other = (120.0, 120.0), (300.0, 120.0), (210.0, 180.0)
    hidden = _view_of((other,), hand=(210.0, 90.0))

    assert _ways(hidden, before=_view(start, other), after=_view(end, other), moves={"m1": (start, end)}) == {"m1": []}


def _one(at: Place) -> RectifiedView:
    return _view_of((at,))
