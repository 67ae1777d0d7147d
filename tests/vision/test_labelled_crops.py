"""What persons confirm and deny is kept as labelled crops, which a network learns from."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.base import Base, OvalBase, RectBase, RoundBase
from models.errors import BadFile
from models.miniature import Miniature
from models.pose import Sigma
from models.state import TableSize, TableState
from tests.vision import rendered
from vision import labelled_crops
from vision.labelled_crops import CropLabel, LabelledCrop, crops_in, crops_of, keep_crops
from vision.training.dense.pasted_crops import paste_crops
from vision.training.dense.targets import PLACE, target_of
from vision.training.scenes.tile import COLUMNS, TILE_PX

KNOWN = rendered.Base((150.0, 250.0), 40.0, seed=2)
IMAGE = rendered.photograph(rendered.Scene((KNOWN,)))
VIEW = rendered.Eye().view()
OVAL, ROUND = OvalBase(width_mm=52, depth_mm=90), RoundBase(diameter_mm=40)


def _state(*miniatures: Miniature) -> TableState:
    size = TableSize(width_mm=rendered.TABLE_MM[0], depth_mm=rendered.TABLE_MM[1])
    return TableState(edition="warmachine-prime", table=size, miniatures=miniatures)


def _miniature(at_mm: tuple[float, float], placement: str | None) -> Miniature:
    return Miniature(id="m1", base=ROUND, at_mm=at_mm, sigma=Sigma(at_mm=1.0), placement=placement)  # type: ignore[arg-type]


def _crop(label: CropLabel, side: int = 60, level: int = 200) -> LabelledCrop:
    return LabelledCrop(np.full((side, side, 3), level, np.uint8), label)


def test_what_was_confirmed_and_denied_is_cut_out_and_what_nobody_spoke_of_is_not() -> None:
    confirmed, silent = _miniature(KNOWN.at_mm, "measured"), _miniature(KNOWN.at_mm, None)
    (base, none) = crops_of(IMAGE, _state(confirmed), [(400.0, 300.0)], view=VIEW)

    assert (base.label.base, base.label.is_base, base.label.is_measured) == (ROUND, True, True)
    assert (none.label.is_base, none.label.base) == (False, None)
    assert base.picture.shape == (64, 64, 3)
    assert crops_of(IMAGE, _state(silent), view=VIEW) == ()


def test_what_the_picture_cuts_off_is_not_kept() -> None:
    part = rendered.Eye().around(KNOWN.at_mm, reach_mm=25.0)
    image = np.zeros((part.size_px[1], part.size_px[0], 3), np.uint8)

    assert crops_of(image, _state(_miniature(KNOWN.at_mm, "measured")), view=part.view()) == ()


def test_a_folder_of_crops_reads_back_and_keeps_each_once(tmp_path: Path) -> None:
    crops = [_crop(CropLabel(is_base=True, base=OVAL, turn_deg=30.0)), _crop(CropLabel(is_base=False), level=90)]

    assert (keep_crops(tmp_path, crops), keep_crops(tmp_path, crops)) == (2, 0)
    read = list(crops_in(tmp_path))
    assert sorted((crop.label.is_base, crop.picture.mean()) for crop in read) == [(False, 90.0), (True, 200.0)]


def test_the_folder_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled_crops, "MOST_CROPS", 3)
    keep_crops(tmp_path, [_crop(CropLabel(is_base=False), level=level) for level in range(10, 20)])

    assert len(list(tmp_path.glob("*.json"))) == len(list(tmp_path.glob("*.png"))) == 3


def test_a_label_without_its_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "lost.json").write_text('{"is_base": false}')
    with pytest.raises(BadFile, match="lost"):
        list(crops_in(tmp_path))


def _bases() -> st.SearchStrategy[Base | None]:
    return st.sampled_from([ROUND, OVAL, RectBase(width_mm=25, depth_mm=50), None])


@settings(max_examples=25)
@given(bases=st.lists(_bases(), min_size=1, max_size=3), seed=st.integers(0, 10_000))
def test_a_pasted_base_is_labelled_where_it_is_seen_and_stands_on_no_other(bases: list[Base | None], seed: int) -> None:
    crops = [_crop(CropLabel(is_base=base is not None, base=base), side=130, level=240) for base in bases]
    tile = np.full((TILE_PX, TILE_PX, 3), 60, np.uint8)
    drawn = np.zeros((1, len(COLUMNS)), np.float32)
    drawn[0, [PLACE["x"], PLACE["y"], PLACE["long"], PLACE["short"], PLACE["seen"]]] = (160, 160, 32, 32, 1)
    maps = np.zeros((TILE_PX // 2, TILE_PX // 2, 4), np.uint8)
    picture, labels, rims = paste_crops((tile, drawn, maps), crops, np.random.default_rng(seed))

    assert picture.shape == tile.shape
    for row in labels[1:]:
        x, y = round(float(row[PLACE["x"]])), round(float(row[PLACE["y"]]))
        assert picture[y, x].min() > 230
        apart = np.hypot(*(row[[PLACE["x"], PLACE["y"]]] - (160, 160)))
        assert apart > (row[PLACE["long"]] + 32) / 2
        assert row[PLACE["size_class"]] >= 0
    assert (rims[..., 0] > 0).any() == (len(labels) > 1)
    assert np.isfinite(target_of(labels, TILE_PX).numbers).all()


if find_spec("torch"):
    from vision.training.dense.run import Plan, Run

    def test_a_run_with_crops_trains_on_them(tmp_path: Path) -> None:
        keep_crops(tmp_path / "crops", [_crop(CropLabel(is_base=True, base=ROUND))])
        run = Run(tmp_path / "run", Plan(seed=3, steps=2), crops=tmp_path / "crops")
        tile = np.zeros((TILE_PX, TILE_PX, 3), np.uint8)
        sample = paste_crops(
            (tile, np.zeros((0, len(COLUMNS)), np.float32), np.zeros((TILE_PX // 2, TILE_PX // 2, 4), np.uint8)),
            list(crops_in(tmp_path / "crops")), np.random.default_rng(1),
        )  # fmt: skip

        assert np.isfinite(run.one_step([sample, sample])["loss"])
