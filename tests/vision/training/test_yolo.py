"""Corrected tables as ultralytics' data set: its corners enclose what the tiles' labels enclose."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.errors import BadInput
from tests.vision.training.known_tables import write_known_table
from vision.detection.network.proposals import KINDS, decode_proposals
from vision.training.annotated_tables import tables_in, tiles_of
from vision.training.synthetic.tile import tile
from vision.training.yolo import label_rows, write_dataset


def test_corners_lie_around_the_bases(tmp_path: Path) -> None:
    write_known_table(tmp_path / "tables")
    (table,) = tables_in(tmp_path / "tables")
    drawn = tile(31, 5)
    tiles = [*tiles_of(table), (drawn.picture, label_rows(drawn.labels))]
    data = write_dataset(iter(tiles), tmp_path / "data")
    files = sorted((tmp_path / "data" / "labels").glob("*/*.txt"), key=lambda path: path.stem)

    assert "0: round" in data.read_text()
    assert len(files) == len(tiles) == len(list((tmp_path / "data" / "images").glob("*/*.png")))
    for path, (picture, rows) in zip(files, tiles, strict=True):
        lines = [line.split() for line in path.read_text().splitlines()]
        assert [int(kind) for kind, *_ in lines] == [int(row[0]) for row in rows]
        for (_, *corners), row in zip(lines, rows, strict=True):
            (x, y), sides, _ = cv2.minAreaRect(np.array(corners, np.float32).reshape(4, 2) * picture.shape[0])
            if min(row[1:3]) > max(row[3:5]) and max(row[1:3]) < picture.shape[0] - max(row[3:5]):  # else cut off
                assert (x - 0.5, y - 0.5) == pytest.approx(row[1:3], abs=0.02)
                assert sorted(sides) == pytest.approx(sorted(row[3:5]), abs=0.02)


def test_nothing_to_learn_from_is_the_askers_fault(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="--drawn"):
        write_dataset(iter(()), tmp_path / "data")


@pytest.mark.parametrize(
    ("names", "sides", "kind"),
    [
        (KINDS, (50.0, 25.0), "rect"),
        (("a", "b", "base"), (50.0, 25.0), "oval"),
        (("a", "b", "c"), (31.0, 30.0), "round"),
    ],
)
def test_a_class_of_another_name_is_known_by_its_box(
    names: tuple[str, ...], sides: tuple[float, float], kind: str
) -> None:
    output = np.array([[100, 90, *sides, 0.0, 0.0, 0.9, 0.2]], np.float32).T

    (proposal,) = decode_proposals(output, names=names, least_score=0.3)

    assert (proposal.kind, proposal.at, proposal.depth, proposal.width) == (kind, (100, 90), *sides)
