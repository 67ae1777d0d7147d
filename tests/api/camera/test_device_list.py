"""Device list: cameras by number and name, metadata nodes left out."""

from pathlib import Path

from api.camera.live_source import list_devices


def _add(folder: Path, node: str, name: str | None, index: str = "0") -> None:
    (folder / node).mkdir()
    (folder / node / "index").write_text(f"{index}\n")
    if name is not None:
        (folder / node / "name").write_text(f"{name}\n")


def test_cameras_are_listed_by_number(tmp_path: Path) -> None:
    _add(tmp_path, "video10", "Capture card")
    _add(tmp_path, "video2", "Brio")

    assert list_devices(tmp_path) == (("2", "Brio"), ("10", "Capture card"))


def test_a_node_that_gives_no_pictures_is_left_out(tmp_path: Path) -> None:
    _add(tmp_path, "video0", "Brio")
    _add(tmp_path, "video1", "Brio", index="1")

    assert list_devices(tmp_path) == (("0", "Brio"),)


def test_a_camera_without_a_name_is_called_by_its_number(tmp_path: Path) -> None:
    _add(tmp_path, "video3", None)

    assert list_devices(tmp_path) == (("3", "camera 3"),)


def test_a_machine_without_cameras_lists_none(tmp_path: Path) -> None:
    assert list_devices(tmp_path / "absent") == ()


def test_a_camera_is_named_by_its_id_where_the_system_keeps_one(tmp_path: Path) -> None:
    (tmp_path / "sys").mkdir()
    _add(tmp_path / "sys", "video0", "Brio")
    _add(tmp_path / "sys", "video2", "C920")
    (tmp_path / "by-id").mkdir()
    (tmp_path / "by-id" / "usb-C920_1234-video-index0").symlink_to("../video2")

    listed = list_devices(tmp_path / "sys", by_id=tmp_path / "by-id")
    assert listed == (("0", "Brio"), (str(tmp_path / "by-id" / "usb-C920_1234-video-index0"), "C920"))
