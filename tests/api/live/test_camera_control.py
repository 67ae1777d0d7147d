from api.camera.protocol import ChangedPart
from api.live.camera_control import LivePicture

LEFT, RIGHT = ChangedPart(0, 10, 20, 40), ChangedPart(60, 5, 80, 30)


def test_a_page_that_missed_two_changes_is_told_the_box_around_both() -> None:
    picture = LivePicture()
    picture.renew(b"one")
    held = picture.name
    picture.renew(b"two", LEFT)
    picture.renew(b"three", RIGHT)

    assert picture.changed_since(held) == ChangedPart(0, 5, 80, 40)


def test_nothing_changed_since_the_newest() -> None:
    picture = LivePicture()
    picture.renew(b"one")

    assert picture.changed_since(picture.name) == ChangedPart(0, 0, 0, 0)


def test_where_one_of_the_changes_is_not_known_the_whole_is_needed() -> None:
    picture = LivePicture()
    picture.renew(b"one")
    held = picture.name
    picture.renew(b"two", LEFT)
    picture.renew(b"another place of the camera")

    assert picture.changed_since(held) is None


def test_a_page_that_missed_more_than_is_remembered_needs_the_whole() -> None:
    picture = LivePicture()
    picture.renew(b"one")
    held = picture.name
    for _ in range(33):
        picture.renew(b"more", LEFT)

    assert picture.changed_since(held) is None


def test_a_name_from_another_run_of_the_server_or_from_nobody_needs_the_whole() -> None:
    picture, before = LivePicture(), LivePicture()
    before.renew(b"one")
    picture.renew(b"one")

    assert [picture.changed_since(name) for name in (before.name, "nonsense", "-1", f"{picture.name}0")] == [None] * 4
