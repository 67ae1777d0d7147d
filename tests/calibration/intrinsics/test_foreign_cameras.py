"""Files of other programs project a point where those programs do."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera_model.projection import project
from calibration.intrinsics.foreign_cameras import ForeignCamera, read_cameras
from models.errors import BadCamera
from tests.calibration.scene import pose_towards

FX, FY, CX, CY = 1412.25, 1409.5, 958.75, 541.125
K = np.array([[FX, 0, CX], [0, FY, CY], [0, 0, 1]])
BROWN = [0.11, -0.23, 0.0012, -0.0007, 0.09]
RATIONAL = [*BROWN, 0.03, -0.02, 0.01]
FISHEYE = [0.021, -0.013, 0.004, -0.001]
POINTS = np.random.default_rng(64).uniform((0, 0, 0), (1200, 900, 60), (25, 3))
POSE = pose_towards((600, -300, 1500), (600, 450, 0))

ROS = """
image_width: 1920
image_height: 1080
camera_name: overhead
camera_matrix: {{rows: 3, cols: 3, data: [{fx}, 0, {cx}, 0, {fy}, {cy}, 0, 0, 1]}}
distortion_model: {model}
distortion_coefficients:
  rows: 1
  cols: {count}
  data: {terms}
rectification_matrix: {{rows: 3, cols: 3, data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}}
"""
OPENCV = """%YAML:1.0
---
calibration_time: "Sun 29 Nov 2026"
image_width: 1920
image_height: 1080
fisheye_model: {fisheye}
camera_matrix: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ {fx}, 0., {cx}, 0., {fy}, {cy}, 0., 0., 1. ]
distortion_coefficients: !!opencv-matrix
   rows: {count}
   cols: 1
   dt: d
   data: {terms}
avg_reprojection_error: 3.1e-01
"""
KALIBR = """
cam0:
  cam_overlaps: [1]
  camera_model: pinhole
  distortion_coeffs: {terms}
  distortion_model: {model}
  intrinsics: [{fx}, {fy}, {cx}, {cy}]
  resolution: [1920, 1080]
  rostopic: /cam0/image_raw
cam1:
  T_cn_cnm1:
  - [1.0, 0.0, 0.0, 0.1]
  camera_model: pinhole
  distortion_coeffs: [0, 0, 0, 0]
  distortion_model: radtan
  intrinsics: [1000, 1000, 640, 360]
  resolution: [1280, 720]
"""
COLMAP = """# Camera list with one line of data per camera:
#   CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]
# Number of cameras: 1
7 {model} 1920 1080 {parameters}
"""


def fill(form: str, model: str, terms: list[float], **more: object) -> str:
    return form.format(fx=FX, fy=FY, cx=CX, cy=CY, model=model, terms=terms, count=len(terms), **more)


def seen_by_opencv(terms: list[float], *, fisheye: bool = False) -> NDArray[np.float64]:
    turn, shift = cv2.Rodrigues(np.array(POSE.rotation))[0], np.array(POSE.translation_mm)
    if fisheye:
        return np.asarray(cv2.fisheye.projectPoints(POINTS[:, None], turn, shift, K, np.array(terms))[0][:, 0])
    return np.asarray(cv2.projectPoints(POINTS, turn, shift, K, np.array(terms))[0][:, 0])


def only(text: str) -> ForeignCamera:
    (camera,) = read_cameras(text)
    return camera


@pytest.mark.parametrize(
    ("text", "terms", "fisheye"),
    [
        (fill(ROS, "plumb_bob", BROWN), BROWN, False),
        (fill(ROS, "rational_polynomial", RATIONAL), RATIONAL, False),
        (fill(ROS, "equidistant", FISHEYE), FISHEYE, True),
        (fill(OPENCV, "", BROWN, fisheye=0), BROWN, False),
        (fill(OPENCV, "", RATIONAL, fisheye=0), RATIONAL, False),
        (fill(OPENCV, "", FISHEYE, fisheye=1), FISHEYE, True),
        (fill(OPENCV, "", [*BROWN, *[0.0] * 9], fisheye=0), BROWN, False),
        (fill(KALIBR, "radtan", BROWN[:4]), BROWN[:4], False),
        (fill(KALIBR, "equidistant", FISHEYE), FISHEYE, True),
    ],
)
def test_a_point_is_seen_where_opencv_sees_it(text: str, terms: list[float], fisheye: bool) -> None:
    camera = read_cameras(text)[0].camera

    assert camera.image_size == (1920, 1080)
    assert project(POINTS, camera=camera, pose=POSE) == pytest.approx(seen_by_opencv(terms, fisheye=fisheye), abs=1e-6)


@pytest.mark.parametrize(
    ("model", "parameters", "terms", "fisheye"),
    [
        ("OPENCV", [FX, FY, CX, CY, *BROWN[:4]], BROWN[:4], False),
        ("FULL_OPENCV", [FX, FY, CX, CY, *RATIONAL], RATIONAL, False),
        ("OPENCV_FISHEYE", [FX, FY, CX, CY, *FISHEYE], FISHEYE, True),
        ("PINHOLE", [FX, FY, CX, CY], [0.0] * 4, False),
    ],
)
def test_colmap_counts_from_the_corner_of_a_pixel(
    model: str, parameters: list[float], terms: list[float], fisheye: bool
) -> None:
    found = only(COLMAP.format(model=model, parameters=" ".join(map(str, parameters))))

    theirs = seen_by_opencv(terms, fisheye=fisheye)
    assert (found.format, found.name) == ("COLMAP", "7")
    assert project(POINTS, camera=found.camera, pose=POSE) + 0.5 == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize(
    ("model", "parameters"),
    [("SIMPLE_PINHOLE", ""), ("SIMPLE_RADIAL", "0.1"), ("RADIAL", "0.1 0.2"), ("SIMPLE_RADIAL_FISHEYE", "0.1"),
     ("RADIAL_FISHEYE", "0.1 0.2")],
)  # fmt: skip
def test_one_focal_length_is_both(model: str, parameters: str) -> None:
    camera = only(COLMAP.format(model=model, parameters=f"{FX} {CX} {CY} {parameters}")).camera

    assert (camera.K[0][0], camera.K[1][1]) == (FX, FX)
    assert [term for term in camera.dist if term] == [float(term) for term in parameters.split()]


def test_a_camera_of_a_chain_has_its_name() -> None:
    chain = read_cameras(fill(KALIBR, "radtan", BROWN[:4]))

    assert [(camera.name, camera.camera.image_size) for camera in chain] == [
        ("cam0", (1920, 1080)),
        ("cam1", (1280, 720)),
    ]


def test_a_message_of_ros_is_read_as_its_file() -> None:
    size = "height: 1080\nwidth: 1920\n"
    message = f"{size}distortion_model: plumb_bob\nd: {BROWN}\nk: [{FX}, 0, {CX}, 0, {FY}, {CY}, 0, 0, 1]\n"

    assert only(message).camera == only(fill(ROS, "plumb_bob", BROWN)).camera


def test_a_file_without_a_size_takes_the_one_that_is_given() -> None:
    text = fill(OPENCV, "", BROWN, fisheye=0).replace("image_width: 1920\nimage_height: 1080\n", "")

    assert read_cameras(text, size=(1920, 1080))[0].camera.image_size == (1920, 1080)
    with pytest.raises(BadCamera, match="--size"):
        read_cameras(text)


def test_the_residual_of_the_file_is_kept() -> None:
    assert only(fill(OPENCV, "", BROWN, fisheye=0)).camera.rms_px == 0.31


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no camera is in it"),
        ("a: [1, 2", "neither YAML nor COLMAP"),
        ("1 FOV 1920 1080 1400 1400 960 540 0.9", "FOV is none that is read here"),
        ("1 OPENCV 1920 1080 1400 1400 960 540", "OPENCV has 8 parameters; camera 1 has 4"),
        ("1 PINHOLE 1920 1080 1400 1400 960 abc", "no number"),
        ("1 PINHOLE 1920 1080 -1400 1400 960 540", "no lens of pictures of 1920 x 1080"),
        ("1 PINHOLE 1920 1080 1400 1400 2960 540", "no lens of pictures of 1920 x 1080"),
        ("1 PINHOLE 1920 1080 nan 1400 960 540", "finite"),
        (fill(ROS, "thin_prism", BROWN), "'thin_prism' is none that is read here: plumb_bob"),
        (fill(ROS, "plumb_bob", RATIONAL), "8 terms; brown has 5"),
        (fill(KALIBR, "fov", BROWN[:4]), "'fov' is none"),
        (fill(KALIBR, "radtan", BROWN[:4]).replace("camera_model: pinhole", "camera_model: omni"), "'omni'"),
        (fill(OPENCV, "", [*BROWN, *[0.01] * 9], fisheye=0), "no thin prism"),
        ("x: !!python/object/apply:os.system ['true']", "neither YAML nor COLMAP"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_says_why(text: str, says: str) -> None:
    with pytest.raises(BadCamera, match=says):
        read_cameras(text)
