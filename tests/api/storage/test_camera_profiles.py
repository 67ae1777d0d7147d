import json
from pathlib import Path

import numpy as np
import pytest

from api.storage.camera_profiles import Profiles, device_of, profiles_in
from calibration.camera_model import projection
from calibration.camera_model.rescale import rescale_camera
from models.camera import Camera
from models.errors import BadCamera, BadInput
from tests.api.cameras import CAMERA, POSE
from tests.api.cli.commands import run

LARGE = Camera.model_validate(CAMERA.model_dump() | {"image_size": (640, 480)})


@pytest.fixture
def profiles(tmp_path: Path) -> Profiles:
    return profiles_in(tmp_path / "kept")


def test_a_saved_camera_is_found_again_by_its_device(profiles: Profiles) -> None:
    profiles.save(CAMERA, device="Brio 4K")
    found = profiles.of_device("Brio 4K")

    assert found is not None
    assert found.camera == CAMERA
    assert profiles.of_device("another") is None


def test_two_sizes_of_a_device_are_kept_apart_and_the_larger_is_taken(profiles: Profiles) -> None:
    for camera in (LARGE, CAMERA):
        profiles.save(camera, device="Brio 4K")
    found = profiles.of_device("Brio 4K")

    assert [one.name for one in profiles.all()] == ["brio-4k@320x240", "brio-4k@640x480"]
    assert found is not None
    assert found.camera.image_size == (640, 480)


def test_a_newer_calibration_takes_the_place_of_the_older(profiles: Profiles) -> None:
    profiles.save(CAMERA, device="Brio 4K")
    better = Camera.model_validate(CAMERA.model_dump() | {"rms_px": 0.1})
    profiles.save(better, device="Brio 4K")

    assert [one.camera.rms_px for one in profiles.all()] == [0.1]


def test_a_removed_profile_is_gone_and_cannot_be_removed_twice(profiles: Profiles) -> None:
    name = profiles.save(CAMERA, device="Brio 4K").name
    profiles.remove(name)

    assert profiles.all() == ()
    with pytest.raises(BadInput, match="saved are none"):
        profiles.remove(name)


def test_a_name_cannot_lead_out_of_the_folder(profiles: Profiles, tmp_path: Path) -> None:
    (tmp_path / "other@1x1.json").write_text("{}")
    with pytest.raises(BadInput):
        profiles.remove("../other@1x1")

    assert (tmp_path / "other@1x1.json").exists()


def test_a_file_that_is_no_profile_is_named(profiles: Profiles) -> None:
    profiles.save(CAMERA, device="Brio 4K")
    (profiles.folder / "odd@1x1.json").write_text('{"device": "x"}')
    with pytest.raises(BadCamera):
        profiles.all()


def test_an_address_is_kept_without_its_password() -> None:
    assert device_of("rtsp://user:secret@cam.local:554/stream?token=5") == "cam.local:554/stream"


def test_a_device_without_a_name_is_called_by_its_number() -> None:
    assert device_of("97") == "camera 97"


def test_serving_a_source_without_camera_or_profile_names_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLESIDE_PROFILES", str(tmp_path))
    done = run("serve", "--source", "97", "--layout", "none.json")

    assert done.code == 2
    assert (done.problem["field"], done.problem["device"]) == ("camera", "camera 97")


def test_the_list_tells_device_size_and_views(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_PROFILES", str(tmp_path))
    profiles_in(tmp_path).save(CAMERA, device="Brio 4K")
    (one,) = json.loads(run("profiles", "--json").out)

    assert (one["name"], one["device"], one["image_size"]) == ("brio-4k@320x240", "Brio 4K", [320, 240])


def test_a_shown_profile_is_the_camera_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_PROFILES", str(tmp_path))
    profiles_in(tmp_path).save(CAMERA, device="Brio 4K")
    done = run("profiles", "brio-4k@320x240")

    assert Camera.model_validate_json(done.out) == CAMERA


def test_pictures_made_smaller_are_seen_through_the_same_lens() -> None:
    """The picture's border stays the border: half a pixel out from the outermost centres."""
    small = rescale_camera(CAMERA, (160, 120))
    points = [[10.0, 20.0, 0.0], [390.0, 20.0, 0.0], [200.0, 280.0, 0.0]]
    large_px, small_px = (projection.project(points, camera=camera, pose=POSE) for camera in (CAMERA, small))

    assert np.allclose((small_px + 0.5) * 2, large_px + 0.5)


def test_pictures_of_another_shape_are_refused_with_both_sizes() -> None:
    with pytest.raises(BadInput, match="another shape") as raised:
        rescale_camera(CAMERA, (320, 180))

    assert raised.value.facts["calibrated"] == [320, 240]
