"""Known tables, cut into what the network is shown."""

import numpy as np
import pytest

from models.base import OvalBase, RectBase, RoundBase
from models.miniature import Miniature
from models.state import TableSize, TableState
from tests.vision import rendered
from vision.detection.network.proposals import KINDS
from vision.rectification.rectify import Window
from vision.training.annotated_tables import TILE_MM, KnownTable, rows_in, tiles_of

EYE = rendered.Eye()
WINDOW = Window(100, 50, 300, 250, 1.0)


def _table(*miniatures: Miniature) -> KnownTable:
    width, depth = rendered.TABLE_MM
    state = TableState(
        edition="warmachine-prime", table=TableSize(width_mm=width, depth_mm=depth), miniatures=miniatures
    )
    image = np.zeros((EYE.size_px[1], EYE.size_px[0], 3), np.uint8)
    return KnownTable("small", image, EYE.camera(), rendered.layout(), EYE.pose(), state)


def _round(id_: str, x: float, y: float, *, up_mm: float = 0.0) -> Miniature:
    return Miniature(id=id_, base=RoundBase(diameter_mm=40), at_mm=(x, y), elevation_mm=up_mm)


def test_a_base_is_labelled_where_it_lies_in_the_window() -> None:
    assert rows_in(WINDOW, _table(_round("a", 130, 90)))[0] == pytest.approx([0, 29.5, 159.5, 40, 40, 0], abs=1e-3)


def test_only_bases_whose_centre_is_inside_are_labelled() -> None:
    rows = rows_in(WINDOW, _table(_round("a", 130, 90), _round("b", 95, 90), _round("c", 130, 255)))

    assert len(rows) == 1


def test_a_base_on_a_hill_is_labelled_where_it_is_seen_larger_and_further_out() -> None:
    """The eye hangs over (310, 190) at 800 mm: what stands 50 mm up appears a fifteenth larger."""
    flat, raised = (rows_in(WINDOW, _table(_round("a", 130, 90, up_mm=up)))[0] for up in (0.0, 50.0))

    assert raised[3] / flat[3] == pytest.approx(798 / 748, abs=1e-4)
    assert raised[1] < flat[1]
    assert raised[2] > flat[2]


@pytest.mark.parametrize(
    "base", [OvalBase(width_mm=42, depth_mm=75), RectBase(width_mm=25, depth_mm=50)], ids=lambda base: base.shape
)
def test_depth_lies_along_the_facing(base: OvalBase | RectBase) -> None:
    one = Miniature(id="a", base=base, at_mm=(130, 90), facing_deg=30)
    kind, _, _, depth, width, turn = rows_in(WINDOW, _table(one))[0]

    assert (KINDS[int(kind)], depth, width) == (base.shape, base.depth_mm, base.width_mm)
    assert turn == pytest.approx(-np.radians(30))


def test_every_base_of_a_table_is_in_some_tile() -> None:
    corners = [
        _round(f"m{k}", x, y) for k, (x, y) in enumerate([(20, 20), (580, 20), (20, 380), (580, 380), (300, 200)])
    ]
    tiles = list(tiles_of(_table(*corners)))

    assert all(picture.shape == (TILE_MM, TILE_MM, 3) for picture, _ in tiles)
    assert sum(len(labels) for _, labels in tiles) >= len(corners)
