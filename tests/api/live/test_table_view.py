import itertools
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.live.table_view import outline_of, table_patch, table_view
from models.base import RoundBase
from models.miniature import Miniature
from models.shape import OutlineFields
from models.state import TableState
from models.terrain import Effect
from tests.api.worlds import drop_miniatures, move_miniature, skirmish


def test_a_miniature_that_left_the_game_is_not_drawn() -> None:
    state = skirmish()
    dead = Miniature.model_validate(state.miniatures[2].model_dump() | {"status": ("removed",)})

    table = table_view(state.with_miniatures((*state.miniatures[:2], dead, *state.miniatures[3:])))

    assert "m2" not in {m.id for m in table.miniatures}


def test_a_nameless_miniature_is_called_by_its_id() -> None:
    state = skirmish()
    nameless = Miniature.model_validate(state.miniatures[4].model_dump() | {"name": None})

    assert table_view(state.with_miniatures((nameless,))).miniatures[0].name == "m4"


def test_the_drawn_sigma_is_that_of_the_worst_direction() -> None:
    state = skirmish()
    slanted = {"covariance_mm2": ((2.5, 1.5), (1.5, 2.5)), "sigma": {"at_mm": 0}}
    unsure = Miniature.model_validate(state.miniatures[0].model_dump() | slanted)

    assert table_view(state.with_miniatures((unsure,))).miniatures[0].sigma_mm == pytest.approx(2.0)


def test_an_effect_that_hangs_on_a_miniature_has_no_outline_to_draw() -> None:
    aura = Effect(id="aura", kind="aura", on="m1", radius_in=3)
    state = skirmish().model_validate(skirmish().model_dump() | {"effects": (aura,)})

    assert "aura" not in {area.id for area in table_view(state).areas}


def test_a_base_of_no_size_of_the_book_tells_what_it_is_taken_for() -> None:
    state = skirmish()
    odd = Miniature.model_validate(state.miniatures[0].model_dump() | {"base": RoundBase(diameter_mm=42)})
    told = Miniature.model_validate(odd.model_dump() | {"base": RoundBase(diameter_mm=42, counts_as_mm=50)})

    drawn = [table_view(state.with_miniatures((one,))).miniatures[0] for one in (odd, told, state.miniatures[0])]

    assert [one.guessed_size_mm for one in drawn] == [40, None, None]


def test_a_unit_tells_how_many_stand_in_it_and_how_wide() -> None:
    regiments = Path(__file__).parents[1] / "states" / "regiments.json"
    units = {one.id: one for one in table_view(TableState.model_validate_json(regiments.read_bytes())).units}

    assert (units["spears"].count, units["spears"].files) == (20, 5)
    assert (units["bows"].count, units["bows"].files) == (12, 6)


def test_a_circle_is_drawn_within_a_fifth_of_a_millimetre() -> None:
    outline = outline_of(OutlineFields(centre_mm=(500, 400), diameter_mm=127))

    middles = [((x0 + x1) / 2, (y0 + y1) / 2) for (x0, y0), (x1, y1) in itertools.pairwise(outline)]
    assert min(math.dist(middle, (500, 400)) for middle in middles) > 63.5 - 0.2


def test_a_thick_line_is_drawn_as_wide_as_it_is() -> None:
    outline = outline_of(OutlineFields(line_mm=((100, 200), (300, 200)), thickness_mm=14))

    assert set(outline) == {(100, 207), (300, 207), (300, 193), (100, 193)}


@given(
    gone=st.sets(st.sampled_from([f"m{i}" for i in range(17)]), max_size=5),
    shift_mm=st.floats(-40, 40, allow_nan=False),
)
def test_old_table_and_difference_make_the_new_table(gone: set[str], shift_mm: float) -> None:
    old = skirmish()
    new = drop_miniatures(move_miniature(old, "m8", (500.0 + shift_mm, 640.0)), *gone)

    patch = table_patch(table_view(old), table_view(new), seq=7)

    kept = {m.id: m for m in table_view(old).miniatures if m.id not in patch.gone}
    patched = kept | {m.id: m for m in patch.changed}
    assert patched == {m.id: m for m in table_view(new).miniatures}
