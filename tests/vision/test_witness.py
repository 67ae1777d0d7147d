"""Who still stood in his place when another already stood in his."""

import numpy as np
import pytest

from tests.vision import rendered
from tests.vision.fits import fit
from vision.change import Overview, View
from vision.witness import Witness

EYE = rendered.Eye()
OVERVIEW = Overview(rendered.TABLE_MM, camera=EYE.camera(), pose=EYE.pose())
SKIN = (120.0, 150.0, 200.0)
OLD = ((120.0, 120.0), (300.0, 120.0))
NEW = ((120.0, 300.0), (300.0, 300.0))


def _view(*places: tuple[float, float], hand: tuple[float, float] | None = None) -> View:
    balls = () if hand is None else (rendered.Ball((*hand, 50.0), 45.0, SKIN),)
    return OVERVIEW.of(
        rendered.photograph(rendered.Scene(tuple(rendered.Base(at, 30.0, seed=3) for at in places), balls))
    )


def _excluded(*seen: View) -> list[list[bool]]:
    witness = Witness()
    for k, view in enumerate(seen):
        witness.note(view, t_s=0.2 * k)
    found = witness.excluded(
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
    witness = Witness()
    witness.note(_view(NEW[0], OLD[1]), t_s=0.0)
    witness.forget()
    fits = [fit(at) for at in OLD], [fit(at) for at in NEW]

    assert not witness.excluded(_view(*OLD), _view(*NEW), OVERVIEW.window, old=fits[0], new=fits[1]).any()


@pytest.mark.parametrize("count", [170, 700])
def test_a_long_wait_is_remembered_thinly(count: int) -> None:
    """However long a hand stays, its first moment is kept."""
    witness, view = Witness(), _view(NEW[0], OLD[1])
    for k in range(count):
        witness.note(view, t_s=0.2 * k)
    for k in range(count, count + 40):
        witness.note(_view_cached(), t_s=0.2 * k)
    found = witness.excluded(
        _view(*OLD), _view(*NEW), OVERVIEW.window, old=[fit(at) for at in OLD], new=[fit(at) for at in NEW]
    )

    assert found.tolist() == [[False, False], [True, False]]


def _view_cached(made: list[View] = []) -> View:  # noqa: B006 - drawn once
    if not made:
        made.append(_view(NEW[0], hand=OLD[1]))
    return made[0]
