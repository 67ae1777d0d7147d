"""Layout survey: where fiducials lie, from a few pictures of them; nobody has to measure by hand."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Image
from calibration.blas_threads import with_one_blas_thread
from calibration.pose.fiducial_residuals import measure_fiducial
from calibration.pose.pose_fit import FLOOR_PX, pose_from_rotation
from calibration.survey.initial_layout import SurveyImage, estimate_layout
from calibration.survey.known_lengths import Length, TagPoint, distance_between
from calibration.survey.survey_images import SurveyRequest, check_linked, detect_tags
from calibration.survey.table_frame import fit_frame
from calibration.survey.tag import UNKNOWNS, Tag, corner_jacobian
from calibration.survey.tag_adjustment import (
    Adjustment,
    SurveyState,
    TagObservation,
    adjust_on_corners,
    observe_edges,
    solve_tags,
)
from models.camera import Camera
from models.errors import BadInput
from models.layout import Fiducials, Layout

Progress = Callable[[str], None]

_LEAST_ANGLE_DEG = 8.0
_WEAK = 0.2  # how far the printed size may be off, as a share of it, where a length tells better
_STRAY_PX, _STRAY = 0.7, 8.0


@dataclass(frozen=True)
class Survey:
    """Surveyed layout, and how surely it is known.

    `widened` is how many times more than they should the pictures contradict each other; `strangers` are ids in sight
    that were not asked for. `covariance` is that of the tags' unknowns, the scale's share in it.
    """

    layout: Layout
    rms_px: float
    widened: float
    strangers: tuple[int, ...]
    tags: tuple[Tag, ...]
    covariance: Floats

    def length_mm(self, a: TagPoint, b: TagPoint) -> tuple[float, float]:
        """The distance of two places, and its sigma."""
        length, slope = distance_between(a, b, self.tags)
        return length, float(np.sqrt(slope @ self.covariance @ slope))


@with_one_blas_thread
def solve_layout(
    pictures: Iterable[tuple[str, Image]],
    cameras: Sequence[Camera],
    request: SurveyRequest,
    *,
    progress: Progress | None = None,
) -> Survey:
    """Solve where the tags in these pictures lie. Each picture was taken through the camera of its size.

    Raises: BadInput naming the pictures or tags that cannot be used; BadLayout for an unknown dictionary.
    """
    tell = progress or (lambda _: None)
    taken, strangers = detect_tags(pictures, cameras, request, tell)
    shots = check_linked([shot for shot, _ in taken], request)
    images = [image for _, image in taken]
    start = _initial_state(shots, request)
    _check_angle(start)
    done, observations = solve_tags(
        start, lambda now, roughly: _observe_edges(now, shots, images, request, roughly=roughly)
    )
    tell("tags")
    _check_outliers(done, observations, shots)
    return describe_survey(done, observations, request, strangers)


def _initial_state(shots: Sequence[SurveyImage], request: SurveyRequest) -> SurveyState:
    """Tags and pictures as their rough corners put them. Raises: BadInput when the pictures do not hang together."""
    rough = estimate_layout(shots, size_mm=request.tag_mm)
    apart = [shot.name for shot, pose in zip(shots, rough.poses, strict=True) if pose is None]
    if apart:
        raise BadInput(f"{apart[0]} shares no tag with the other pictures", field="images", value=apart)
    sigma = _WEAK if request.length is not None else request.tag_sigma_mm / request.tag_mm
    poses = tuple(pose for pose in rough.poses if pose is not None)
    start = SurveyState(rough.tags, poses, tuple(shot.camera for shot in shots), sigma, None)
    number = {tag.id: i for i, tag in enumerate(rough.tags)}
    corners = [(s, number[i], seen) for s, shot in enumerate(shots) for i, seen in shot.corners_px.items()]
    return _rescale(adjust_on_corners(start, corners), request.length)


def _rescale(now: SurveyState, length: Length | None) -> SurveyState:
    """The same, larger or smaller, so that the measured length is right."""
    if length is None:
        return now
    by = length.measured_mm / distance_between(length.a, length.b, now.tags)[0]
    tags = tuple(replace(t, middle_mm=by * t.middle_mm, right=by * t.right, down=by * t.down) for t in now.tags)
    poses = tuple(pose_from_rotation(np.array(p.rotation), by * np.array(p.translation_mm)) for p in now.poses)
    return replace(now, tags=tags, poses=poses, length=length)


def _check_angle(now: SurveyState) -> None:
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


def _observe_edges(
    now: SurveyState, shots: Sequence[SurveyImage], images: Sequence[Image], request: SurveyRequest, *, roughly: bool
) -> list[TagObservation]:
    markers = tuple(tag.marker() for tag in now.tags)
    fiducials = Fiducials(dictionary=request.dictionary, marker_mm=request.tag_mm, markers=markers)
    observations = []
    for s, (shot, image) in enumerate(zip(shots, images, strict=True)):
        for number, tag in enumerate(now.tags):
            if tag.id in shot.corners_px:
                seen = measure_fiducial(
                    image,
                    fiducials.markers[number],
                    fiducials=fiducials,
                    camera=shot.camera,
                    pose=now.poses[s],
                    roughly=roughly,
                )
                observations += [observe_edges(s, number, seen)] if seen is not None else []
    return observations


def _check_outliers(done: Adjustment, observations: Sequence[TagObservation], shots: Sequence[SurveyImage]) -> None:
    """Raises: BadInput naming a tag that was moved between the pictures."""
    seen = {(observation.shot, done.state.tags[observation.tag].id) for observation in observations}
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
        tag, name = done.state.tags[observations[worst].tag].id, shots[observations[worst].shot].name
        raise BadInput(
            f"tag {tag} does not lie in the same place in all pictures (in {name} it is {off[worst]:.1f} px off):"
            " was it moved, or is there a second one?",
            field="images",
            value=name,
            tag=tag,
        )


def describe_survey(
    done: Adjustment, observations: Sequence[TagObservation], request: SurveyRequest, strangers: tuple[int, ...] = ()
) -> Survey:
    """Survey in the table's frame, with what the pictures leave in doubt."""
    frame = fit_frame(done.state.tags, anchors=request.anchors, table_mm=request.table_mm, tag_z_mm=request.tag_z_mm)
    tags = frame.transform(done.state.tags)
    widened = _inconsistency_factor(done, observations)
    covariance = widened * _relative_covariance(tags, _rotate_covariance(done.covariance, frame.rotation))
    shape, scale_sigma = _scale_free_covariance(tags, covariance)
    places = shape[np.ix_(_middle_columns(tags), _middle_columns(tags))]
    fiducials = Fiducials(
        dictionary=request.dictionary,
        marker_mm=request.tag_mm * (1 + done.size),
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


def _rotate_covariance(covariance: Floats, rotation: Floats) -> Floats:
    """Covariance of tags' unknowns (9 T, 9 T) in a frame that is turned by this."""
    whole = np.kron(np.eye(len(covariance) // 3), rotation)
    return np.asarray(whole @ covariance @ whole.T)


def _relative_covariance(tags: Sequence[Tag], covariance: Floats) -> Floats:
    """Covariance once the tags as a whole were laid where they are as well as may be: none of it is the frame's."""
    left = _remove_motions(tags, _rigid_motions(tags))
    return np.asarray(left @ covariance @ left.T)


def _scale_free_covariance(tags: Sequence[Tag], covariance: Floats) -> tuple[Floats, float]:
    """Covariance without the scale, and the sigma of the scale, as a share of any length."""
    growth = _scale_motion(tags)
    left = _remove_motions(tags, np.column_stack([_rigid_motions(tags), growth]))
    pull = corner_jacobian(tags).T @ (corner_jacobian(tags) @ growth)
    return np.asarray(left @ covariance @ left.T), float(np.sqrt(pull @ covariance @ pull) / (pull @ growth))


def _inconsistency_factor(done: Adjustment, observations: Sequence[TagObservation]) -> float:
    """How many times more than they should the observations contradict each other, in variance; never below 1."""
    places = 6 * len(done.state.poses) - 6 + 3 * len(done.state.tags)
    freedom = max(2 * len(observations) - places, 1)
    return max(1.0, float(np.sum((done.off_px / FLOOR_PX) ** 2)) / freedom)


def _middle_columns(tags: Sequence[Tag]) -> NDArray[np.int64]:
    """Columns of the tags' middles among their unknowns."""
    return np.asarray((UNKNOWNS * np.arange(len(tags))[:, None] + np.arange(3)).ravel())


def _remove_motions(tags: Sequence[Tag], motions: Floats) -> Floats:
    """What is left of a change of the unknowns once the corners were laid back by these motions as far as they go."""
    corners = corner_jacobian(tags)
    moved = corners @ motions
    return np.asarray(np.eye(len(motions)) - motions @ np.linalg.solve(moved.T @ moved, moved.T @ corners))


def _rigid_motions(tags: Sequence[Tag]) -> Floats:
    """What a small turn or shift of the whole does to the unknowns, (9 T, 6)."""
    arms = np.array([[tag.middle_mm - _centre(tags), tag.right, tag.down] for tag in tags])
    turns = [np.cross(axis, arms).ravel() for axis in np.eye(3)]
    shifts = [np.concatenate([axis, np.zeros(6)] * len(tags)) for axis in np.eye(3)]
    return np.stack(turns + shifts, axis=1)


def _scale_motion(tags: Sequence[Tag]) -> Floats:
    """What doubling all lengths does to the unknowns, (9 T,)."""
    return np.array([[tag.middle_mm - _centre(tags), tag.right, tag.down] for tag in tags]).ravel()


def _centre(tags: Sequence[Tag]) -> Floats:
    return np.asarray(np.mean([tag.middle_mm for tag in tags], axis=0))
