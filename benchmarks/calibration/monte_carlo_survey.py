"""Surveys drawn anew from known tags and cameras: is the stated sigma of the solved layout the error that is made?"""

from dataclasses import dataclass

import numpy as np

from benchmarks.harness import align
from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.pose.covariance_propagation import modes
from calibration.pose.fiducial_residuals import FiducialEdges, edge_normals_px, marker_edges
from calibration.pose.pose_fit import perturb_pose, pose_from_rotation
from calibration.survey.known_lengths import Length, TagPoint, distance_between
from calibration.survey.solve_layout import describe_survey
from calibration.survey.survey_images import SurveyRequest
from calibration.survey.tag import Tag
from calibration.survey.tag_adjustment import SurveyState, TagObservation, observe_edges, solve_tags
from models.camera import Camera, CameraPose

NAME = "APRILTAG_36h11"
TAG_MM, TAG_SIGMA_MM, SIDES_MM = 80.0, 0.1, 0.05
EDGE_PX, SHIFT_PX, RULER_MM = 0.05, 0.015, 0.3
FOCAL_PX, SIZE = 1037.5, (1920, 1080)
LENS_SIGMA = (0.6, 0.6, 0.8, 0.8, 8e-4, 1.5e-3, 5e-5, 5e-5, 8e-4)
PLACES_MM = ((50, -70), (1169, -70), (1169, 1289), (50, 1289), (610, -70), (610, 1289))
EYES_MM = ((612, 608, 1400), (-150, 300, 1300), (1250, -100, 1350), (500, 1500, 1300))


@dataclass(frozen=True)
class Draw:
    """Squared error and stated variance per axis of the tags' middles among themselves, the scale's share in both; and
    of one long length. mm²."""

    place_error_mm2: float
    place_stated_mm2: float
    length_error_mm: float
    length_sigma_mm: float


def draw_survey(seed: int, *, ruler: bool) -> Draw:
    """One table of tags that were glued down anyhow, photographed from four sides through a lens a little off.

    The scale is the prints', or that of a long distance which somebody measured.
    """
    random = np.random.default_rng(seed)
    tags, poses = _tags(random), tuple(_pose_at(at) for at in EYES_MM)
    camera = _camera(np.zeros(9))
    true_camera = _camera(modes(camera.covariance) @ random.normal(0, 1, 9))
    spots = {
        (s, t): _noisy_edges(random, tag, true_camera, pose)
        for s, pose in enumerate(poses)
        for t, tag in enumerate(tags)
    }

    def see(now: SurveyState, _: bool) -> list[TagObservation]:
        return [
            observe_edges(s, t, _fiducial_edges(now.tags[t], seen, camera, now.poses[s]))
            for (s, t), seen in spots.items()
        ]

    start = SurveyState(
        tuple(tag.with_change(random.normal(0, [2.0] * 3 + [0.005] * 6)) for tag in tags),
        tuple(perturb_pose(pose, random.normal(0, [0.002] * 3 + [2.0] * 3)) for pose in poses),
        (camera,) * len(poses),
        0.2 if ruler else TAG_SIGMA_MM / TAG_MM,
        _measure_length(random, tags) if ruler else None,
    )
    survey = describe_survey(*solve_tags(start, see), SurveyRequest(NAME, TAG_MM, TAG_SIGMA_MM))
    return _compare_with_truth(survey.tags, survey.covariance, tags)


def _measure_length(random: np.random.Generator, tags: tuple[Tag, ...]) -> Length:
    a, b = TagPoint(1), TagPoint(3)
    return Length(a, b, distance_between(a, b, tags)[0] + random.normal(0, RULER_MM), RULER_MM)


def _compare_with_truth(solved: tuple[Tag, ...], covariance: Floats, true: tuple[Tag, ...]) -> Draw:
    here, true_mm = (np.concatenate([tag.corners_mm for tag in tags]) for tags in (solved, true))
    middles = (align(here, true_mm) - true_mm).reshape(len(true), 4, 3).mean(axis=1)
    stated = np.diag(covariance).reshape(-1, 9)[:, :3]
    length, slope = distance_between(TagPoint(0), TagPoint(2), solved)
    off = length - distance_between(TagPoint(0), TagPoint(2), true)[0]
    return Draw(float(np.mean(middles**2)), float(np.mean(stated)), off, float(np.sqrt(slope @ covariance @ slope)))


def _tags(random: np.random.Generator) -> tuple[Tag, ...]:
    common = random.normal(0, TAG_SIGMA_MM / TAG_MM)
    return tuple(_tag(random, i, place, common) for i, place in enumerate(PLACES_MM))


def _tag(random: np.random.Generator, number: int, place: tuple[float, float], common: float) -> Tag:
    """Near its place, turned by some degrees, a little larger and less square than the print should be."""
    angle = random.normal(0, 0.1)
    middle = np.array([*place, 0.0]) + random.normal(0, [15, 15, 1.0])
    right, down = np.array([np.cos(angle), np.sin(angle), 0]), np.array([np.sin(angle), -np.cos(angle), 0])
    wide, high, skew = random.normal(0, SIDES_MM / TAG_MM, 3)
    return Tag(number, middle, (1 + common + wide) * right, (1 + common + high) * (down + skew * right), TAG_MM)


def _noisy_edges(random: np.random.Generator, tag: Tag, camera: Camera, pose: CameraPose) -> Floats:
    """Where the edges of a tag appear, under a tone curve, with noise of each edge and of the whole."""
    known = marker_edges(tag.marker(), name=NAME)
    dark, _ = edge_normals_px(known, projection.point_jacobian(known.middle_mm, camera=camera, pose=pose))
    off = dark * (random.uniform(0.1, 0.4) + random.normal(0, EDGE_PX, (len(dark), 1))) + random.normal(0, SHIFT_PX, 2)
    return np.asarray(projection.project(known.middle_mm, camera=camera, pose=pose) + off)


def _fiducial_edges(tag: Tag, seen_px: Floats, camera: Camera, pose: CameraPose) -> FiducialEdges:
    known = marker_edges(tag.marker(), name=NAME)
    by_place = projection.point_jacobian(known.middle_mm, camera=camera, pose=pose)
    dark, _ = edge_normals_px(known, by_place)
    offset = np.sum((seen_px - projection.project(known.middle_mm, camera=camera, pose=pose)) * dark, axis=1)
    return FiducialEdges(tag.marker(), known.middle_mm, np.einsum("ni,nij->nj", dark, by_place), offset, dark)


def _pose_at(at_mm: tuple[float, float, float]) -> CameraPose:
    """A camera there that looks at the middle of the table."""
    ahead = np.array([610.0, 610.0, 0.0]) - at_mm
    ahead /= np.linalg.norm(ahead)
    down = np.cross(ahead, [1.0, 0.0, 0.0])
    down /= np.linalg.norm(down)
    rotation = np.stack([np.cross(down, ahead), down, ahead])
    return pose_from_rotation(rotation, -rotation @ np.array(at_mm, np.float64))


def _camera(off: Floats) -> Camera:
    fx, fy, cx, cy, *dist = (np.array([FOCAL_PX, FOCAL_PX, 950, 551, 0.038, -0.055, -4e-4, 5e-4, 0.01]) + off).tolist()
    return Camera(
        image_size=SIZE,
        model="brown",
        K=((fx, 0, cx), (0, fy, cy), (0, 0, 1)),
        dist=tuple(dist),
        covariance=np.diag(np.square(LENS_SIGMA)).tolist(),
        rms_px=0,
    )
