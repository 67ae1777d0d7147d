"""Evidence of rulings: kept before the line, whole or not at all, cut from what the camera saw and nothing else."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.camera.protocol import FrameReport, SettledPicture
from api.cli import app as command_line
from api.cli.hosting_options import parse_size
from api.errors import BrokenJournal
from api.evidence.pictures import SPARE_MM, box_around, decode, straighten_part
from api.evidence.schemas import EvidenceFacts, TablePart
from api.evidence.service import EvidenceKeeper, PictureRing
from api.evidence.store import FOLDER, EvidenceStore, check_evidence, is_unaltered
from api.journal.file_journal import NAME, FileJournal
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import ask_interruptibly, create_app
from api.server.journal_entries import ENTRY_CLASSES
from calibration.camera_model.projection import project
from models.errors import BadInput
from models.queries.distances import Distance
from models.state import TableState
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.fakes import ask
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

NEAR = skirmish().with_miniatures(tuple(m for m in skirmish().miniatures if m.id in ("m7", "m10")))
FEW = move_miniature(move_miniature(NEAR, "m7", (120.0, 140.0)), "m10", (230.0, 160.0))
RULING = {"about": {"pair": {"a": "m7", "b": "m10"}, "slot": "distance"}, "decision": "accepted"}


def picture(*, grey: int = 90) -> SettledPicture:
    """A picture in which each pixel tells where it is, more or less."""
    height, width = CAMERA.image_size[1], CAMERA.image_size[0]
    image = np.full((height, width, 3), grey, np.uint8)
    image[..., 0] = np.linspace(0, 255, width, dtype=np.uint8)
    image[..., 1] = np.linspace(0, 255, height, dtype=np.uint8)[:, None]
    jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    return SettledPicture(jpeg, 1.5, 7.0, CAMERA, POSE, 0.25, LAYOUT.table_mm)


def report_with(seen: SettledPicture, state: TableState = FEW) -> FrameReport:
    report = frame_report(state_line(state))
    return FrameReport(**{**vars(report), "settled": seen})


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        yield Hub(title="Table 4", journal=journal)


@pytest.fixture
def keeper(hub: Hub, tmp_path: Path) -> EvidenceKeeper:
    return EvidenceKeeper(hub, tmp_path, most_bytes=10**6)


@pytest.fixture
def judge(hub: Hub, keeper: EvidenceKeeper) -> Iterator[TestClient]:
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, ask=ask, evidence=keeper)) as client:
        yield client


def rule(judge: TestClient, **more: Any) -> dict[str, Any]:
    answer = judge.post("/api/v1/rulings", json=RULING | more)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def test_a_ruling_names_files_that_are_what_their_names_say(judge: TestClient, keeper: EvidenceKeeper) -> None:
    evidence = rule(judge)["evidence"]

    assert {name.split(".")[1] for name in evidence.values()} == {"jpg", "svg", "json"}
    assert all(is_unaltered(keeper.path(name)) for name in evidence.values())


def test_the_facts_hold_lens_pose_state_verdict_and_software(judge: TestClient, keeper: EvidenceKeeper) -> None:
    facts = EvidenceFacts.model_validate_json(keeper.path(rule(judge)["evidence"]["facts"]).read_bytes())
    seen = facts.picture

    assert seen is not None
    assert (seen.camera, seen.pose, seen.pose_age_s, seen.t_s) == (CAMERA, POSE, 0.25, 1.5)
    assert (facts.state.by_id["m7"].at_mm, facts.verdict.query["kind"]) == ((120.0, 140.0), "distance")
    assert len(facts.weights_sha256) == 64


def test_the_crop_is_the_camera_s_own_picture_to_a_grey_level(judge: TestClient, keeper: EvidenceKeeper) -> None:
    evidence = rule(judge)["evidence"]
    facts = EvidenceFacts.model_validate_json(keeper.path(evidence["facts"]).read_bytes())
    assert facts.picture is not None
    box = facts.picture.crop_px
    assert box is not None
    crop = cv2.imdecode(np.frombuffer(keeper.path(evidence["crop"]).read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert crop is not None
    whole = decode(picture())
    part = whole[box.top_px : box.top_px + box.height_px, box.left_px : box.left_px + box.width_px]

    assert np.abs(crop.astype(int) - part).max() <= 2


def test_the_crop_shows_both_bases_with_sixty_millimetres_to_spare() -> None:
    verdict = ask_interruptibly(FEW, Distance(a="m7", b="m10"))
    box = box_around(picture(), decode(picture()), FEW, verdict, ("m7", "m10"))
    assert box is not None
    reach = SPARE_MM + 15
    around = [(120 - reach, 140.0, 0), (230 + reach, 160.0, 0), (175.0, 140 - reach, 0), (175.0, 160 + reach, 0)]
    seen = project(np.array(around), camera=CAMERA, pose=POSE)

    assert (seen >= (box.left_px, box.top_px)).all()
    assert (seen <= (box.left_px + box.width_px, box.top_px + box.height_px)).all()


def test_a_ruling_about_an_earlier_moment_has_that_moment_s_picture(
    hub: Hub, judge: TestClient, keeper: EvidenceKeeper
) -> None:
    then = rule(judge)
    hub.handle_report(report_with(picture(grey=200), move_miniature(FEW, "m7", (90.0, 140.0))))
    again = rule(judge, about=RULING["about"] | {"at": 1})  # type: ignore[operator]

    assert again["evidence"]["crop"] == then["evidence"]["crop"]
    assert rule(judge)["evidence"]["table"] != then["evidence"]["table"]


def test_a_ruling_without_a_picture_keeps_what_is_known(hub: Hub, keeper: EvidenceKeeper) -> None:
    hub.show(FEW)
    with TestClient(create_app(hub, ask=ask, evidence=keeper)) as judge:
        evidence = rule(judge)["evidence"]

    assert (evidence["crop"], evidence["table"]) == (None, None)
    assert is_unaltered(keeper.path(evidence["facts"]))


def test_the_record_shows_the_evidence_and_needs_no_other_file(judge: TestClient) -> None:
    page = judge.get(f"/api/v1/rulings/{rule(judge)['number']}/record.html").text

    assert page.count("data:image/jpeg;base64,") == 2
    assert "What the camera saw" in page
    assert "0.30 px" in page  # the lens's residual
    assert "Its head when this was printed: 2:" in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")


def test_the_record_of_a_tape_says_whose_line_is_drawn(judge: TestClient) -> None:
    about = {**RULING["about"], "tape": {"a": "m7", "b": "m10", "value_in": 6.5}}  # type: ignore[dict-item]
    page = judge.get(f"/api/v1/rulings/{rule(judge, about=about)['number']}/record.html").text

    assert "as long as the tape says" in page


def test_the_record_says_when_evidence_was_altered(judge: TestClient, keeper: EvidenceKeeper) -> None:
    ruling = rule(judge)
    keeper.path(ruling["evidence"]["crop"]).write_bytes(b"another picture")

    assert "missing or was altered" in judge.get(f"/api/v1/rulings/{ruling['number']}/record.html").text


@pytest.mark.parametrize(("edit", "word"), [("alter", "altered"), ("swap", "altered"), ("remove", "missing")])
def test_verify_names_evidence_that_is_not_what_it_was(
    judge: TestClient, keeper: EvidenceKeeper, tmp_path: Path, edit: str, word: str
) -> None:
    ruling = rule(judge)
    crop, table = keeper.path(ruling["evidence"]["crop"]), keeper.path(ruling["evidence"]["table"])
    if edit == "remove":
        crop.unlink()
    else:
        crop.write_bytes(table.read_bytes() if edit == "swap" else crop.read_bytes()[:-1])
    said = CliRunner().invoke(command_line, ["verify", str(tmp_path)])

    assert isinstance(said.exception, BrokenJournal)
    assert (said.exception.field, said.exception.value) == ("evidence", crop.name)
    assert word in str(said.exception)


def test_verify_counts_the_evidence_that_is_whole(judge: TestClient, tmp_path: Path) -> None:
    rule(judge)
    said = CliRunner().invoke(command_line, ["verify", str(tmp_path)])

    assert said.exit_code == 0, said.exception
    assert "Evidence: 4 of 4 files are there and unaltered." in said.stdout


@settings(max_examples=100)
@given(data=st.data())
def test_no_altered_byte_of_evidence_goes_unnoticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    (name,) = EvidenceStore(folder).put([(b"a picture of the table", "jpg")])
    (folder / NAME).write_text(f'{{"n":1,"entry":{{"evidence":{{"crop":"{name}"}}}}}}\n')
    path = folder / FOLDER / name
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)

    assert check_evidence(folder / NAME).altered == ((name, 1),)


def test_a_full_disk_leaves_nothing_half_written_and_the_game_goes_on(
    judge: TestClient, keeper: EvidenceKeeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted((tmp_path / FOLDER).iterdir())

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        kept = keeper.keep(FEW, ask_interruptibly(FEW, Distance(a="m7", b="m10")), ids=("m7", "m10"))

    assert kept is None
    assert sorted((tmp_path / FOLDER).iterdir()) == before


def test_a_folder_that_takes_no_evidence_is_told_on_the_judge_s_page(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    keeper = EvidenceKeeper(hub, tmp_path, most_bytes=10**6)
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, ask=ask, evidence=keeper)) as judge:
        ruling = rule(judge)
        alarms = judge.get("/api/v1/bench").json()["alarms"]

    assert ruling["evidence"] is None
    assert [alarm["code"] for alarm in alarms] == ["evidence"]
    assert "not kept" in alarms[0]["says"]


def test_the_alarm_ends_when_evidence_is_kept_again(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    keeper = EvidenceKeeper(hub, tmp_path, most_bytes=10**6)
    (tmp_path / FOLDER).unlink()
    keeper.check()

    assert hub.alarms.all() == ()


def test_the_oldest_pictures_go_first(tmp_path: Path) -> None:
    one = picture()
    ring = PictureRing(tmp_path, most_bytes=int(3.5 * (len(one.jpeg) + 1500)))
    for line in (1, 4, 9, 12):
        ring.put(line, one)
    again = PictureRing(tmp_path, most_bytes=10**7)

    assert [line in ring for line in (1, 4, 9, 12)] == [False, True, True, True]
    assert [line in again for line in (1, 4, 9, 12)] == [False, True, True, True]
    assert (again.get(1), again.get(12)) == (None, one)


def test_what_a_ruling_names_stays_when_its_picture_has_gone(hub: Hub, tmp_path: Path) -> None:
    keeper = EvidenceKeeper(hub, tmp_path, most_bytes=len(picture().jpeg) + 2000)
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, ask=ask, evidence=keeper)) as judge:
        ruling = rule(judge)
        hub.handle_report(report_with(picture(grey=150), move_miniature(FEW, "m7", (90.0, 140.0))))

        assert is_unaltered(keeper.path(ruling["evidence"]["crop"]))
        assert rule(judge, about=RULING["about"] | {"at": 1})["evidence"]["crop"] is None  # type: ignore[operator]


@pytest.mark.parametrize(("told", "size"), [("2GB", 2 * 10**9), ("500 mb", 5 * 10**8), ("0", 0), ("1.5GB", 15 * 10**8)])
def test_sizes_are_read_as_people_write_them(told: str, size: int) -> None:
    assert parse_size(told) == size


def test_a_size_that_is_none_is_named() -> None:
    with pytest.raises(BadInput, match="much"):
        parse_size("much")


def test_the_stream_s_seat_alone_gets_a_part_of_the_table_in_the_camera_s_own_pixels(
    hub: Hub, keeper: EvidenceKeeper
) -> None:
    seats = SeatSessions(hub.journal)
    bearer = {seat: {"Authorization": f"Bearer {seats.take_seat(seat)}"} for seat in ("overlay", "player-a")}
    hub.handle_report(report_with(picture()))
    with TestClient(create_app(hub, ask=ask, evidence=keeper, seats=seats)) as client:
        pushed = client.post("/api/v1/overlay/air", json={"pair": {"a": "m7", "b": "m10"}}, headers=bearer["overlay"])
        address = f"/api/v1/overlay/air/{pushed.json()['id']}/part.jpg"
        box = {"left_mm": 50, "near_mm": 60, "right_mm": 250, "far_mm": 160}
        part = client.get(address, params=box, headers=bearer["overlay"])
        refused = client.get(address, params=box, headers=bearer["player-a"])
        beyond = client.get(address, params=box | {"left_mm": 10_000, "right_mm": 11_000}, headers=bearer["overlay"])
        empty = client.get(address, params=box | {"far_mm": 60}, headers=bearer["overlay"])

    assert (refused.status_code, beyond.status_code, empty.status_code) == (403, 404, 422)
    seen = decode(SettledPicture(part.content, 1.5, 7.0, CAMERA, POSE, 0.25, LAYOUT.table_mm))
    height, width = seen.shape[:2]
    assert width / height == pytest.approx(2.0, abs=0.02)
    # The middle of the part shows what the camera saw there: its picture tells places by their colour.
    at = project(np.array([(150.0, 110.0, 0.0)]), camera=CAMERA, pose=POSE)[0].round().astype(int)
    assert np.abs(seen[height // 2, width // 2].astype(int) - decode(picture())[at[1], at[0]]).max() <= 2


@pytest.mark.parametrize("wide_mm", [40, 200])
def test_a_part_is_as_fine_as_the_camera_sees_and_no_finer(wide_mm: int) -> None:
    seen = picture()
    part = TablePart(left_mm=100, near_mm=100, right_mm=100 + wide_mm, far_mm=100 + wide_mm // 2)
    straightened = straighten_part(seen, decode(seen), part)
    ends = project(np.array([(100.0, 100.0, 0.0), (100.0 + wide_mm, 100.0, 0.0)]), camera=CAMERA, pose=POSE)
    native = float(np.hypot(*(ends[1] - ends[0])))

    width = decode(SettledPicture(straightened, 1.5, 7.0, CAMERA, POSE, 0.25, LAYOUT.table_mm)).shape[1]
    assert width == pytest.approx(max(native, wide_mm), rel=0.15)
