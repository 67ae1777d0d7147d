"""Pictures of tags that a survey can use; one that it cannot is refused by name."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from calibration import picture
from calibration.marker import detect
from calibration.ruler import Length, Place
from calibration.sketch import Shot
from calibration.table_frame import Anchor
from models.camera import Camera
from models.errors import BadInput

_FEWEST = 3


@dataclass(frozen=True)
class Asked:
    """What is known beforehand: the print, and one length if any was measured; which ids belong to the table, if said.

    `anchors` are two places whose distance from the table's near-left corner was measured.
    """

    dictionary: str
    tag_mm: float
    tag_sigma_mm: float = 0.1
    length: Length | None = None
    ids: tuple[int, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    table_mm: tuple[float, float] | None = None
    tag_z_mm: float = 0.0


def photographed(
    pictures: Iterable[tuple[str, picture.Image]], cameras: Sequence[Camera], asked: Asked, tell: Callable[[str], None]
) -> tuple[list[tuple[Shot, picture.Image]], tuple[int, ...]]:
    """The tags in each picture, and which ids in sight were not asked for. Raises: BadInput, BadLayout."""
    by_size = _by_size(cameras)
    found: list[tuple[Shot, picture.Image]] = []
    strangers: set[int] = set()
    for name, image in pictures:
        camera = _camera_of(name, image, by_size)
        seen = detect(picture.gray(image), name=asked.dictionary)
        wanted = [(i, c) for i, c in seen if not asked.ids or i in asked.ids]
        strangers |= {i for i, _ in seen} - {i for i, _ in wanted}
        _check_once(name, [i for i, _ in wanted])
        found.append((Shot(name, camera, dict(wanted)), image))
        tell(name)
    if len(found) < _FEWEST:
        raise BadInput(
            f"at least {_FEWEST} pictures from different sides are needed; {len(found)} given",
            field="images",
            value=len(found),
        )
    return found, tuple(sorted(strangers))


def _by_size(cameras: Sequence[Camera]) -> dict[tuple[int, int], Camera]:
    sizes = Counter(camera.image_size for camera in cameras)
    twice = [size for size, count in sizes.items() if count > 1]
    if twice:
        raise BadInput(
            f"two cameras take pictures of {twice[0][0]}x{twice[0][1]}: which picture is whose?",
            field="camera",
            value=list(twice[0]),
        )
    return {camera.image_size: camera for camera in cameras}


def _camera_of(name: str, image: picture.Image, by_size: dict[tuple[int, int], Camera]) -> Camera:
    height, width = image.shape[:2]
    if (width, height) not in by_size:
        raise BadInput(
            f"{name} is {width}x{height}, and no given camera takes pictures of that size",
            field="images",
            value=name,
            image_size=[width, height],
            cameras=[list(size) for size in by_size],
        )
    return by_size[width, height]


def _check_once(name: str, ids: Sequence[int]) -> None:
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise BadInput(
            f"{name} shows more than one tag {_named(twice)}: every tag on the table needs an id of its own",
            field="images",
            value=name,
            twice=twice,
        )


def linked(shots: Sequence[Shot], asked: Asked) -> list[Shot]:
    """The pictures, once every tag in them can be placed. Raises: BadInput."""
    for shot in shots:
        if len(shot.corners_px) < 2:
            raise BadInput(
                f"{shot.name} shows {len(shot.corners_px)} tags of {asked.dictionary}; it must show two at least",
                field="images",
                value=shot.name,
                seen=sorted(shot.corners_px),
            )
    counts = Counter(i for shot in shots for i in shot.corners_px)
    missing = [i for i in asked.ids if i not in counts]
    if missing:
        raise BadInput(f"no picture shows tag {_named(missing)}", field="tags", value=missing)
    once = sorted(i for i, count in counts.items() if count < 2)
    if once:
        raise BadInput(
            f"tag {_named(once)} is in one picture only: show it in two at least,"
            " or name the tags that belong to the table",
            field="images",
            value=once,
        )
    _check_places(asked, counts)
    return list(shots)


def _check_places(asked: Asked, counts: Counter[int]) -> None:
    places = [anchor.place for anchor in asked.anchors]
    if asked.length is not None:
        places += [asked.length.a, asked.length.b]
    for spot in places:
        check_seen(spot, counts)


def check_seen(spot: Place, known: Iterable[int]) -> None:
    """Raises: BadInput for a place on a tag that was not surveyed."""
    if spot.tag not in set(known):
        raise BadInput(f"no picture shows tag {spot.tag}", field="tags", value=str(spot), known=sorted(known))


def _named(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids))
