"""Camera exchange: intrinsics that another program solved, from its file's text to a `Camera`.

ROS `camera_info`, OpenCV's FileStorage in YAML, Kalibr's camchain and COLMAP's `cameras.txt`. None of them says how
surely its numbers are known, so that is assumed (`ASSUMED`). COLMAP has pixel centres at halves; all others, and we,
at whole numbers.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import yaml

from models.camera import Camera
from models.errors import BadCamera

Model = Literal["brown", "rational", "fisheye"]
Numbers = list[float]
ASSUMED = "focal length to 0.1 %, the middle to 0.1 % of the width, distortion to 2 %"
_FOCAL, _CENTRE, _TERM, _TERM_LEAST = 0.001, 0.001, 0.02, 1e-3
_RMS_PX = 0.5  # where the file does not say
_TERMS: dict[Model, int] = {"brown": 5, "rational": 8, "fisheye": 4}
_OPENCV_MATRIX = ("camera_matrix", "Camera_Matrix", "cameraMatrix", "K", "M", "M1", "mtx")
_OPENCV_TERMS = (
    "distortion_coefficients", "Distortion_Coefficients", "distCoeffs", "dist_coeffs", "D", "D1", "dist",
)  # fmt: skip
_ROS_MODELS: dict[str, Model] = {
    "plumb_bob": "brown", "rational_polynomial": "rational", "equidistant": "fisheye", "fisheye": "fisheye",
}  # fmt: skip
_KALIBR_MODELS: dict[str, Model] = {"radtan": "brown", "none": "brown", "equidistant": "fisheye"}
_Colmap = tuple[int, Model, Callable[[Sequence[float]], Numbers]]
_COLMAP: dict[str, _Colmap] = {  # model -> parameters, ours, and fx fy cx cy with the terms in OpenCV's order
    "SIMPLE_PINHOLE": (3, "brown", lambda p: [p[0], *p]),
    "PINHOLE": (4, "brown", lambda p: [*p]),
    "SIMPLE_RADIAL": (4, "brown", lambda p: [p[0], *p]),
    "RADIAL": (5, "brown", lambda p: [p[0], *p]),
    "OPENCV": (8, "brown", lambda p: [*p]),
    "FULL_OPENCV": (12, "rational", lambda p: [*p]),
    "OPENCV_FISHEYE": (8, "fisheye", lambda p: [*p]),
    "SIMPLE_RADIAL_FISHEYE": (4, "fisheye", lambda p: [p[0], *p]),
    "RADIAL_FISHEYE": (5, "fisheye", lambda p: [p[0], *p]),
}
_COLMAP_LINE = re.compile(r"^\s*(\d+)\s+([A-Z][A-Z_]+)\s+(\d+)\s+(\d+)\s+(.+)$", re.MULTILINE)
_COLMAP_MIDDLE = 0.5


@dataclass(frozen=True)
class ForeignCamera:
    """A camera of another program's file: its format, its name there, and the camera."""

    format: str
    name: str
    camera: Camera


@dataclass(frozen=True)
class _Lens:
    """What a file says: focal lengths and middle, then distortion in OpenCV's order."""

    format: str
    name: str
    model: Model
    values: Numbers
    size: tuple[int, int] | None
    rms_px: float | None = None


def read_cameras(text: str, *, size: tuple[int, int] | None = None) -> tuple[ForeignCamera, ...]:
    """Every camera of the file; `size` (width, height) px where the file says none. Raises: BadCamera."""
    lenses = _read_colmap(text) or _read_yaml(text)
    return tuple(ForeignCamera(lens.format, lens.name, _camera(lens, size)) for lens in lenses)


def _read_colmap(text: str) -> list[_Lens]:
    lenses = []
    for number, model, width, height, rest in _COLMAP_LINE.findall(text):
        if model not in _COLMAP:
            raise _refused(f"COLMAP's model {model} is none that is read here: {', '.join(_COLMAP)}", model)
        count, ours, order = _COLMAP[model]
        parameters = _numbers(rest.split(), f"camera {number}")
        if len(parameters) != count:
            raise _refused(f"{model} has {count} parameters; camera {number} has {len(parameters)}", rest)
        fx, fy, cx, cy, *terms = order(parameters)
        middle = [cx - _COLMAP_MIDDLE, cy - _COLMAP_MIDDLE]
        lenses.append(_Lens("COLMAP", number, ours, [fx, fy, *middle, *terms], (int(width), int(height))))
    return lenses


class _OpenCvLoader(yaml.SafeLoader):  # type: ignore[misc]  # no types come with it
    """Safe YAML that knows OpenCV's matrices."""


_OpenCvLoader.add_constructor(
    "tag:yaml.org,2002:opencv-matrix", lambda loader, node: loader.construct_mapping(node, deep=True)
)


def _read_yaml(text: str) -> list[_Lens]:
    try:
        file = yaml.load(re.sub(r"^%YAML[ :][^\n]*\n(---[^\n]*\n)?", "", text), Loader=_OpenCvLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as wrong:
        raise _refused(f"this is neither YAML nor COLMAP's cameras.txt: {wrong}", None) from wrong
    if isinstance(file, Mapping):
        chain = {str(name): cam for name, cam in file.items() if isinstance(cam, Mapping) and "intrinsics" in cam}
        if chain:
            return [_read_kalibr(name, cam) for name, cam in chain.items()]
        if "distortion_model" in file:
            return [_read_ros(file)]
        if _first(file, _OPENCV_MATRIX) is not None:
            return [_read_opencv(file)]
    raise _refused(
        "no camera is in it: camera_info of ROS, OpenCV's YAML, Kalibr's camchain or COLMAP's cameras.txt", None
    )


def _read_kalibr(name: str, cam: Mapping[str, Any]) -> _Lens:
    if cam.get("camera_model") != "pinhole":
        raise _refused(
            f"{name} has the model {cam.get('camera_model')!r}; pinhole is read here", cam.get("camera_model")
        )
    model = _model_of(cam.get("distortion_model", "none"), _KALIBR_MODELS, name)
    values = [*_numbers(cam["intrinsics"], f"{name}.intrinsics", count=4)]
    terms = _numbers(cam.get("distortion_coeffs", []), f"{name}.distortion_coeffs")
    return _Lens("Kalibr", name, model, [*values, *terms], _size(cam.get("resolution"), f"{name}.resolution"))


def _read_ros(file: Mapping[str, Any]) -> _Lens:
    """The file of `camera_calibration`, or a message as `ros2 topic echo` prints it."""
    model = _model_of(file["distortion_model"], _ROS_MODELS, "distortion_model")
    matrix = _first(file, ("camera_matrix", "k", "K"))
    terms = _first(file, ("distortion_coefficients", "d", "D"))
    size = [_first(file, (f"image_{side}", side)) for side in ("width", "height")]
    name = str(file.get("camera_name", "camera"))
    values = [*_matrix(matrix, "camera_matrix"), *_numbers(_data(terms), "distortion_coefficients")]
    return _Lens("ROS", name, model, values, _size(size, "image_width"))


def _read_opencv(file: Mapping[str, Any]) -> _Lens:
    terms = _numbers(_data(_first(file, _OPENCV_TERMS)), "distortion_coefficients")
    model: Model = "fisheye" if file.get("fisheye_model") else "brown" if len(terms) <= _TERMS["brown"] else "rational"
    sides = [_first(file, names) for names in (("image_width", "image_Width"), ("image_height", "image_Height"))]
    size = _first(file, ("image_size", "imageSize")) if None in sides else sides
    rms = _first(file, ("avg_reprojection_error", "Avg_Reprojection_Error", "rms"))
    values = [*_matrix(_first(file, _OPENCV_MATRIX), "camera_matrix"), *terms]
    return _Lens(
        "OpenCV", "camera", model, values, _size(size, "image_size"), None if rms is None else _numbers([rms], "rms")[0]
    )


def _first(file: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((file[name] for name in names if file.get(name) is not None), None)


def _data(matrix: Any) -> Any:
    """A matrix is written as its rows, columns and data, or plainly."""
    return matrix.get("data") if isinstance(matrix, Mapping) else [] if matrix is None else matrix


def _matrix(matrix: Any, field: str) -> Numbers:
    """fx, fy, cx, cy of a 3 x 3 matrix."""
    k = _numbers(_data(matrix), field, count=9)
    return [k[0], k[4], k[2], k[5]]


def _model_of(word: Any, models: Mapping[str, Model], field: str) -> Model:
    if word not in models:
        raise _refused(f"{field}: distortion {word!r} is none that is read here: {', '.join(models)}", word)
    return models[str(word)]


def _numbers(values: Any, field: str, *, count: int | None = None) -> Numbers:
    try:
        numbers = [float(value) for value in np.ravel(values)]
    except (TypeError, ValueError) as wrong:
        raise _refused(f"{field} holds something that is no number: {values}", str(values)[:80]) from wrong
    if not all(map(math.isfinite, numbers)) or (count is not None and len(numbers) != count):
        raise _refused(f"{field} should hold {count or 'finite'} numbers: {values}", str(values)[:80])
    return numbers


def _size(values: Any, field: str) -> tuple[int, int] | None:
    if values is None or (isinstance(values, list) and None in values):
        return None
    width, height = _numbers(values, field, count=2)
    return int(width), int(height)


def _camera(lens: _Lens, size: tuple[int, int] | None) -> Camera:
    width, height = lens.size or size or (0, 0)
    fx, fy, cx, cy, *terms = lens.values
    dist = _fitted_terms(lens, terms)
    if width <= 0 or height <= 0:
        raise _refused("the file does not say of how many pixels its pictures are: give --size WIDTH HEIGHT", None)
    if min(fx, fy) <= 0 or not (0 < cx < width and 0 < cy < height):
        raise _refused(f"no lens of pictures of {width} x {height} px has fx fy cx cy {fx:g} {fy:g} {cx:g} {cy:g}", fx)
    return Camera(
        image_size=(width, height),
        model=lens.model,
        K=((fx, 0.0, cx), (0.0, fy, cy), (0.0, 0.0, 1.0)),
        dist=tuple(dist),
        covariance=_assumed_covariance(fx, fy, width, dist),
        rms_px=_RMS_PX if lens.rms_px is None else lens.rms_px,
    )


def _fitted_terms(lens: _Lens, terms: Numbers) -> Numbers:
    """As many as the model has; what an omitted one would be is zero, and one too many must be."""
    count = _TERMS[lens.model]
    if any(terms[count:]):
        raise _refused(
            f"distortion has {len(terms)} terms; {lens.model} has {count}: no thin prism, no tilt", len(terms)
        )
    return [*terms[:count], *[0.0] * (count - len(terms))]


def _assumed_covariance(fx: float, fy: float, width: int, dist: Numbers) -> tuple[tuple[float, ...], ...]:
    """Both focal lengths err together."""
    focal = _FOCAL * np.array([fx, fy])
    terms = [max(_TERM * abs(term), _TERM_LEAST) for term in dist]
    covariance = np.diag(np.square([*focal, _CENTRE * width, _CENTRE * width, *terms]))
    covariance[0, 1] = covariance[1, 0] = 0.99 * focal[0] * focal[1]
    return tuple(tuple(map(float, row)) for row in covariance)


def _refused(says: str, value: Any) -> BadCamera:
    return BadCamera(says, field="file", value=value)
