"""Where fiducials lie, from a few pictures of them: nobody has to measure by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration import picture
from calibration.adjustment import Adjusted, Look, Surveyed, adjust, at_corners, at_edges, miss_px2, settle
from calibration.among import among_themselves, apart_from_scale, contradiction, middles, turned
from calibration.pose import from_rotation
from calibration.ruler import Length, Place, between
from calibration.shots import Asked, linked, photographed
from calibration.sighting import look
from calibration.sketch import Shot, sketch
from calibration.table_frame import frame_of
from calibration.tag import Tag
from models.camera import Camera
from models.errors import BadInput
from models.layout import Fiducials, Layout

Floats = NDArray[np.float64]
Progress = Callable[[str], None]

_LEAST_ANGLE_DEG = 8.0
_WEAK = 0.2  # how far the printed size may be off, as a share of it, where a length tells better
_STRAY_PX, _STRAY = 0.7, 8.0


@dataclass(frozen=True)
class Survey:
    """The layout, and how surely it is known.

    `widened` is how many times more than they should the pictures contradict each other; `strangers` are ids in sight
    that were not asked for. `covariance` is that of the tags' unknowns, the scale's share in it.
    """

    layout: Layout
    rms_px: float
    widened: float
    strangers: tuple[int, ...]
    tags: tuple[Tag, ...]
    covariance: Floats

    def length_mm(self, a: Place, b: Place) -> tuple[float, float]:
        """The distance of two places, and its sigma."""
        length, slope = between(a, b, self.tags)
        return length, float(np.sqrt(slope @ self.covariance @ slope))


def survey(
    pictures: Iterable[tuple[str, picture.Image]],
    cameras: Sequence[Camera],
    asked: Asked,
    *,
    progress: Progress | None = None,
) -> Survey:
    """Where the tags in these pictures lie. Each picture was taken through the camera of its size.

    Raises: BadInput naming the pictures or tags that cannot be used; BadLayout for an unknown dictionary.
    """
    tell = progress or (lambda _: None)
    taken, strangers = photographed(pictures, cameras, asked, tell)
    shots = linked([shot for shot, _ in taken], asked)
    images = [image for _, image in taken]
    start = _started(shots, asked)
    _check_angle(start)
    done, looks = settle(start, lambda now, roughly: _edge_looks(now, shots, images, asked, roughly=roughly))
    tell("tags")
    _check_strays(done, looks, shots)
    return described(done, looks, asked, strangers)


def _started(shots: Sequence[Shot], asked: Asked) -> Surveyed:
    """Tags and pictures as their rough corners put them. Raises: BadInput when the pictures do not hang together."""
    rough = sketch(shots, size_mm=asked.tag_mm)
    apart = [shot.name for shot, pose in zip(shots, rough.poses, strict=True) if pose is None]
    if apart:
        raise BadInput(f"{apart[0]} shares no tag with the other pictures", field="images", value=apart)
    sigma = _WEAK if asked.length is not None else asked.tag_sigma_mm / asked.tag_mm
    poses = tuple(pose for pose in rough.poses if pose is not None)
    start = Surveyed(rough.tags, poses, tuple(shot.camera for shot in shots), sigma, None)
    return _scaled(_descended(start, shots), asked.length)


def _descended(now: Surveyed, shots: Sequence[Shot]) -> Surveyed:
    """Down to what the corners say, by Levenberg's way."""
    damping = 1e-3
    looks = _corner_looks(now, shots)
    for _ in range(40):
        then = adjust(now, looks, damping=damping).there
        after = _corner_looks(then, shots)
        gain = miss_px2(looks) - miss_px2(after)
        if gain > 0:
            now, looks, damping = then, after, damping / 10
            if gain < 1e-6 * miss_px2(after):
                break
        elif damping > 1e3:
            break
        else:
            damping *= 10
    return now


def _corner_looks(now: Surveyed, shots: Sequence[Shot]) -> list[Look]:
    number = {tag.id: i for i, tag in enumerate(now.tags)}
    return [
        at_corners(s, number[i], corners, now=now)
        for s, shot in enumerate(shots)
        for i, corners in shot.corners_px.items()
    ]


def _scaled(now: Surveyed, length: Length | None) -> Surveyed:
    """The same, larger or smaller, so that the measured length is right."""
    if length is None:
        return now
    by = length.measured_mm / between(length.a, length.b, now.tags)[0]
    tags = tuple(replace(t, middle_mm=by * t.middle_mm, right=by * t.right, down=by * t.down) for t in now.tags)
    poses = tuple(from_rotation(np.array(p.rotation), by * np.array(p.translation_mm)) for p in now.poses)
    return replace(now, tags=tags, poses=poses, length=length)


def _check_angle(now: Surveyed) -> None:
    """Raises: BadInput when all pictures look at the tags from one place: heights and distances stay open then."""
    middle = np.mean([tag.middle_mm for tag in now.tags], axis=0)
    ways = np.array([np.array(pose.centre_mm) - middle for pose in now.poses])
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    widest = float(np.degrees(np.arccos(np.clip((ways @ ways.T).min(), -1, 1))))
    if widest < _LEAST_ANGLE_DEG:
        raise BadInput(
            f"all pictures were taken from nearly the same place ({widest:.1f} degrees apart, seen from the tags):"
            " take them from different sides of the table",
            field="images",
            value=round(widest, 1),
        )


def _edge_looks(
    now: Surveyed, shots: Sequence[Shot], images: Sequence[picture.Image], asked: Asked, *, roughly: bool
) -> list[Look]:
    markers = tuple(tag.marker() for tag in now.tags)
    fiducials = Fiducials(dictionary=asked.dictionary, marker_mm=asked.tag_mm, markers=markers)
    found = []
    for s, (shot, image) in enumerate(zip(shots, images, strict=True)):
        for number, tag in enumerate(now.tags):
            if tag.id in shot.corners_px:
                seen = look(
                    image,
                    fiducials.markers[number],
                    fiducials=fiducials,
                    camera=shot.camera,
                    pose=now.poses[s],
                    roughly=roughly,
                )
                found += [at_edges(s, number, seen)] if seen is not None else []
    return found


def _check_strays(done: Adjusted, looks: Sequence[Look], shots: Sequence[Shot]) -> None:
    """Raises: BadInput naming a tag that was moved between the pictures."""
    seen = {(look.shot, done.there.tags[look.tag].id) for look in looks}
    lost = [(shot.name, i) for s, shot in enumerate(shots) for i in shot.corners_px if (s, i) not in seen]
    if lost:
        name, tag = lost[0]
        raise BadInput(
            f"tag {tag} is not where the other pictures put it in {name}, or too blurred there: was it moved?",
            field="images",
            value=name,
            tag=tag,
        )
    off = np.linalg.norm(done.off_px, axis=1)
    worst = int(np.argmax(off))
    if off[worst] > max(_STRAY_PX, _STRAY * float(np.median(off))):
        tag, name = done.there.tags[looks[worst].tag].id, shots[looks[worst].shot].name
        raise BadInput(
            f"tag {tag} does not lie in the same place in all pictures (in {name} it is {off[worst]:.1f} px off):"
            " was it moved, or is there a second one?",
            field="images",
            value=name,
            tag=tag,
        )


def described(done: Adjusted, looks: Sequence[Look], asked: Asked, strangers: tuple[int, ...] = ()) -> Survey:
    """The layout that was found, in the table's frame, with what the pictures leave in doubt."""
    frame = frame_of(done.there.tags, anchors=asked.anchors, table_mm=asked.table_mm, tag_z_mm=asked.tag_z_mm)
    tags = frame.carry(done.there.tags)
    widened = contradiction(done, looks)
    covariance = widened * among_themselves(tags, turned(done.covariance, frame.rotation))
    shape, scale_sigma = apart_from_scale(tags, covariance)
    places = shape[np.ix_(middles(tags), middles(tags))]
    fiducials = Fiducials(
        dictionary=asked.dictionary,
        marker_mm=asked.tag_mm * (1 + done.size),
        markers=tuple(tag.marker() for tag in tags),
        sigma_mm=float(np.sqrt(np.mean(np.diag(places)))),
        covariance_mm2=tuple(tuple(map(float, row)) for row in (places + places.T) / 2),
        scale_sigma=scale_sigma,
    )
    return Survey(
        layout=Layout(table_mm=frame.table_mm, fiducials=fiducials),
        rms_px=float(np.sqrt(np.mean(np.sum(done.off_px**2, axis=1)))),
        widened=widened,
        strangers=strangers,
        tags=tags,
        covariance=covariance,
    )
