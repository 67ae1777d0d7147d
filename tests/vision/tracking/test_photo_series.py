"""Photographs of one table: what players told of a base that no detector sees is looked for in the next one."""

import pytest

from models.base import Catalogue, RoundBase, catalogue_of
from models.hint import Hint
from models.miniature import Miniature
from models.state import TableState
from tests.vision import rendered
from vision.locate import Sighting
from vision.tracking import photo_series
from vision.tracking.photo_series import locate_photo

BASE = rendered.Base((150.0, 140.0), 40.0, 60.0, "front-half", paint=rendered.WHITE)
SCENE = rendered.Scene((BASE,))
ROUND_40 = RoundBase(diameter_mm=40)
CATALOGUE: Catalogue = catalogue_of(("warmachine-prime",))


@pytest.fixture(autouse=True)
def _nobody_sees_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo_series, "sight", lambda *_, **__: Sighting((), (), ()))


def _locate(*hints: Hint, before: TableState | None = None) -> TableState:
    state, _ = locate_photo(
        rendered.photograph(SCENE), camera=SCENE.eye.camera(), layout=rendered.layout(), catalogue=CATALOGUE,
        edition="warmachine-prime", before=before, hints=hints,
    )  # fmt: skip
    return state


def test_a_told_base_is_measured_where_the_detector_misses_it() -> None:
    (miniature,) = _locate(Hint(at_mm=(152.0, 138.0), base=ROUND_40)).miniatures

    assert miniature.placement == "measured"
    assert miniature.at_mm == pytest.approx(BASE.at_mm, abs=0.5)


def test_it_keeps_the_name_that_it_was_placed_under() -> None:
    placed = Miniature(id="lost", base=ROUND_40, at_mm=(150.0, 140.0), placement="by-hand")
    before = _locate().with_miniatures((placed,))

    assert [m.id for m in _locate(Hint(at_mm=(150.0, 140.0), base=ROUND_40), before=before).miniatures] == ["lost"]


def test_a_told_base_that_has_gone_is_not_measured_there() -> None:
    assert _locate(Hint(at_mm=(420.0, 230.0), base=ROUND_40)).miniatures == ()
