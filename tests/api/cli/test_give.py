"""`tableside give`: nothing is packed without consent and a licence; what is packed trains."""

import json
import zipfile
from pathlib import Path

import cv2
import pytest

from models.state import TableSize, TableState
from tests.api.cli.commands import Ended, run
from tests.vision import rendered
from vision.training.annotated_tables import tables_in

SCENE = rendered.Scene((rendered.Base((150.0, 140.0), 40.0),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    size = TableSize(width_mm=rendered.TABLE_MM[0], depth_mm=rendered.TABLE_MM[1])
    state = TableState(edition="warmachine-prime", table=size, miniatures=())
    cv2.imwrite(str(tmp_path / "mine.png"), rendered.photograph(SCENE))
    (tmp_path / "state.json").write_text(state.model_dump_json())
    (tmp_path / "camera.json").write_text(SCENE.eye.camera().model_dump_json())
    (tmp_path / "layout.json").write_text(rendered.layout().model_dump_json(exclude_none=True))
    return tmp_path


def _give(folder: Path, *more: str) -> Ended:
    files = ("--camera", folder / "camera.json", "--layout", folder / "layout.json", "-o", folder / "gift.zip")
    return run("give", folder / "mine.png", folder / "state.json", *files, *more)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--licence", "CC0-1.0"), "--agree"),
        (("--licence", "mine", "--agree"), "CC-BY-4.0"),
        (("--licence", "CC-BY-4.0", "--agree"), "--giver"),
    ],
)
def test_nothing_is_packed_without_consent_and_a_licence(folder: Path, more: tuple[str, ...], says: str) -> None:
    ended = _give(folder, *more)

    assert ended.code == 2
    assert says in ended.err
    assert not (folder / "gift.zip").exists()


def test_a_state_of_another_table_is_no_truth_of_this_picture(folder: Path) -> None:
    state = TableState.model_validate_json((folder / "state.json").read_bytes())
    other = TableState(**{**dict(state), "table": TableSize(width_mm=1118.0, depth_mm=762.0)})
    (folder / "state.json").write_text(other.model_dump_json())
    ended = _give(folder, "--licence", "CC0-1.0", "--agree")
    problem = json.loads(ended.err)

    assert (ended.code, problem["field"], problem["value"]) == (2, "state", [1118.0, 762.0])
    assert "1118 x 762 mm, and the picture of one of 600 x 400 mm" in problem["detail"]
    assert not (folder / "gift.zip").exists()


def test_a_gift_says_its_licence_and_is_read_as_a_table_to_train_with(folder: Path, tmp_path: Path) -> None:
    ended = _give(folder, "--licence", "CC-BY-4.0", "--giver", "Mara", "--agree")
    with zipfile.ZipFile(folder / "gift.zip") as gift:
        names, licence = set(gift.namelist()), gift.read("LICENCE.txt").decode()
        gift.extractall(tmp_path / "unpacked")
    (table,) = tables_in(tmp_path / "unpacked")

    assert (ended.code, ended.err) == (0, "")
    assert licence.startswith("SPDX-License-Identifier: CC-BY-4.0\nGiver: Mara\n")
    assert {"table.jpg", "table.state.json", "table.camera.json", "table.layout.json", "table.pose.json"} < names
    assert table.image[:5, :5].max() < 10  # the room is black
