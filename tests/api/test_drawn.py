import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.drawn import difference, drawn, outline_of
from models.miniature import Miniature
from models.shape import Shaped
from models.terrain import Effect
from tests.api.worlds import moved, skirmish, without


def test_a_miniature_that_left_the_game_is_not_drawn() -> None:
    state = skirmish()
    dead = Miniature.model_validate(state.miniatures[2].model_dump() | {"status": ("removed",)})

    table = drawn(state.with_miniatures((*state.miniatures[:2], dead, *state.miniatures[3:])))

    assert "m2" not in {m.id for m in table.miniatures}


def test_a_nameless_miniature_is_called_by_its_id() -> None:
    state = skirmish()
    nameless = Miniature.model_validate(state.miniatures[4].model_dump() | {"name": None})

    assert drawn(state.with_miniatures((nameless,))).miniatures[0].name == "m4"


def test_the_drawn_sigma_is_that_of_the_worst_direction() -> None:
    state = skirmish()
    slanted = {"covariance_mm2": ((2.5, 1.5), (1.5, 2.5)), "sigma": {"at_mm": 0}}
    unsure = Miniature.model_validate(state.miniatures[0].model_dump() | slanted)

    assert drawn(state.with_miniatures((unsure,))).miniatures[0].sigma_mm == pytest.approx(2.0)


def test_an_effect_that_hangs_on_a_miniature_has_no_outline_to_draw() -> None:
    aura = Effect(id="aura", kind="aura", on="m1", radius_in=3)
    state = skirmish().model_validate(skirmish().model_dump() | {"effects": (aura,)})

    assert "aura" not in {area.id for area in drawn(state).areas}


def test_a_circle_is_drawn_within_a_fifth_of_a_millimetre() -> None:
    outline = outline_of(Shaped(centre_mm=(500, 400), diameter_mm=127))

    middles = [((x0 + x1) / 2, (y0 + y1) / 2) for (x0, y0), (x1, y1) in itertools.pairwise(outline)]
    assert min(math.dist(middle, (500, 400)) for middle in middles) > 63.5 - 0.2


def test_a_thick_line_is_drawn_as_wide_as_it_is() -> None:
    outline = outline_of(Shaped(line_mm=((100, 200), (300, 200)), thickness_mm=14))

    assert set(outline) == {(100, 207), (300, 207), (300, 193), (100, 193)}


@given(
    gone=st.sets(st.sampled_from([f"m{i}" for i in range(17)]), max_size=5),
    shift_mm=st.floats(-40, 40, allow_nan=False),
)
def test_old_table_and_difference_make_the_new_table(gone: set[str], shift_mm: float) -> None:
    old = skirmish()
    new = without(moved(old, "m8", (500.0 + shift_mm, 640.0)), *gone)

    changed, left = difference(drawn(old), drawn(new))

    patched = {m.id: m for m in drawn(old).miniatures if m.id not in left} | {m.id: m for m in changed}
    assert patched == {m.id: m for m in drawn(new).miniatures}
