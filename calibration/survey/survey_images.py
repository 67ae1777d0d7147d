"""Survey images: pictures of tags that a survey can use; one that it cannot is refused by name."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from calibration.arrays import Image
from calibration.image import to_gray
from calibration.pose.marker_detection import detect_dictionary
from calibration.survey.initial_layout import SurveyImage
from calibration.survey.known_lengths import Length, TagPoint
from calibration.survey.table_frame import Anchor
from models.camera import Camera
from models.errors import BadInput

_FEWEST = 3


@dataclass(frozen=True)
class SurveyRequest:
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


def detect_tags(
    pictures: Iterable[tuple[str, Image]],
    cameras: Sequence[Camera],
    request: SurveyRequest,
    tell: Callable[[str], None],
) -> tuple[list[tuple[SurveyImage, Image]], tuple[int, ...]]:
    """Detect the tags in each picture, and which ids in sight were not asked for. Raises: BadInput, BadLayout."""
    by_size = _index_by_size(cameras)
    taken: list[tuple[SurveyImage, Image]] = []
    strangers: set[int] = set()
    for name, image in pictures:
        camera = _camera_of(name, image, by_size)
        seen = detect_dictionary(to_gray(image), name=request.dictionary)
        wanted = [(i, c) for i, c in seen if not request.ids or i in request.ids]
        strangers |= {i for i, _ in seen} - {i for i, _ in wanted}
        _check_once(name, [i for i, _ in wanted])
        taken.append((SurveyImage(name, camera, dict(wanted)), image))
        tell(name)
    if len(taken) < _FEWEST:
        raise BadInput(
            f"at least {_FEWEST} pictures from different sides are needed; {len(taken)} given",
            field="images",
            value=len(taken),
        )
    return taken, tuple(sorted(strangers))


def _index_by_size(cameras: Sequence[Camera]) -> dict[tuple[int, int], Camera]:
    sizes = Counter(camera.image_size for camera in cameras)
    twice = [size for size, count in sizes.items() if count > 1]
    if twice:
        raise BadInput(
            f"two cameras take pictures of {twice[0][0]}x{twice[0][1]}: which picture is whose?",
            field="camera",
            value=list(twice[0]),
        )
    return {camera.image_size: camera for camera in cameras}


def _camera_of(name: str, image: Image, by_size: dict[tuple[int, int], Camera]) -> Camera:
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
            f"{name} shows more than one tag {_list_ids(twice)}: every tag on the table needs an id of its own",
            field="images",
            value=name,
            twice=twice,
        )


def check_linked(shots: Sequence[SurveyImage], request: SurveyRequest) -> list[SurveyImage]:
    """The pictures, once every tag in them can be placed. Raises: BadInput."""
    for shot in shots:
        if len(shot.corners_px) < 2:
            raise BadInput(
                f"{shot.name} shows {len(shot.corners_px)} tags of {request.dictionary}; it must show two at least",
                field="images",
                value=shot.name,
                seen=sorted(shot.corners_px),
            )
    counts = Counter(i for shot in shots for i in shot.corners_px)
    missing = [i for i in request.ids if i not in counts]
    if missing:
        raise BadInput(f"no picture shows tag {_list_ids(missing)}", field="tags", value=missing)
    once = sorted(i for i, count in counts.items() if count < 2)
    if once:
        raise BadInput(
            f"tag {_list_ids(once)} is in one picture only: show it in two at least,"
            " or name the tags that belong to the table",
            field="images",
            value=once,
        )
    _check_places(request, counts)
    return list(shots)


def _check_places(request: SurveyRequest, counts: Counter[int]) -> None:
    places = [anchor.place for anchor in request.anchors]
    if request.length is not None:
        places += [request.length.a, request.length.b]
    for spot in places:
        check_surveyed(spot, counts)


def check_surveyed(spot: TagPoint, known: Iterable[int]) -> None:
    """Raises: BadInput for a point on a tag that was not surveyed."""
    if spot.tag not in set(known):
        raise BadInput(f"no picture shows tag {spot.tag}", field="tags", value=str(spot), known=sorted(known))


def _list_ids(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids))
