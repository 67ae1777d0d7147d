"""What a camera makes of the lit table, and what straightening makes of the camera's picture."""

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from vision.training.synthetic.renderer import Eye, Frame

Random = np.random.Generator


def rectified_picture(lit: Floats32, *, eye: Eye, frame: Frame, side_px: int, random: Random) -> Image:
    """The drawn square through a random camera and back onto the plane, (side_px, side_px, 3)."""
    camera_from_canvas, size = _shot(eye, frame, random)
    shrink = np.sqrt(abs(np.linalg.det(camera_from_canvas[:, :2])))
    soft = cv2.GaussianBlur(lit, (0, 0), max(0.3, 0.45 / shrink))
    shot = cv2.warpAffine(soft, camera_from_canvas, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    picture = develop(np.asarray(shot, np.float32), random)
    back = _canvas_from_straight(frame, side_px)
    straight = camera_from_canvas @ np.vstack([back, [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, straight, (side_px, side_px), flags=flags), np.uint8)


def _shot(eye: Eye, frame: Frame, random: Random) -> tuple[Floats, int]:
    """The affine map from canvas to camera pixels, foreshortened as seen from the eye, and the picture's side."""
    middle = frame.side_mm / 2
    away = np.array([middle - eye.x_mm, -(middle - eye.y_mm)])  # rows run the other way
    slant = np.hypot(*away)
    squash = eye.z_mm / np.hypot(eye.z_mm, slant)
    unit = away / max(slant, 1e-6)
    foreshortened = np.eye(2) - (1 - squash) * np.outer(unit, unit)
    px_per_mm = float(np.exp(random.uniform(np.log(0.6), np.log(2.2)))) / np.sqrt(squash)
    angle = random.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = turn @ foreshortened * (px_per_mm / frame.px_per_mm)
    size = int(1.42 * (frame.side_mm + 6) * px_per_mm)
    offset = np.full(2, (size - 1) / 2) - matrix @ np.full(2, (frame.side_px - 1) / 2)
    return np.column_stack([matrix, offset]), size


def _canvas_from_straight(frame: Frame, side_px: int) -> Floats:
    scale = frame.side_mm * frame.px_per_mm / side_px
    offset = frame.margin_mm * frame.px_per_mm + (scale - 1) / 2
    return np.array([[scale, 0, offset], [0, scale, offset]])


def develop(shot: Floats32, random: Random) -> Image:
    """Lens blur, exposure, tone, noise, sharpening and JPEG."""
    spread = float(np.exp(random.uniform(np.log(0.3), np.log(1.6))))
    blurred = np.asarray(cv2.GaussianBlur(shot, (0, 0), spread), np.float32)
    if random.random() < 0.06:
        blurred = _blur_by_motion(blurred, random)
    exposure = np.exp(random.normal(0.1, 0.3))
    balance = np.exp(random.normal(0, 0.06, 3))
    linear = np.clip(blurred / 255 * exposure * balance, 0, None).astype(np.float32)
    tone = linear ** np.float32(random.uniform(0.6, 1.25))
    curved = tone / (1 + random.uniform(0, 0.35) * np.maximum(tone - 0.4, 0))
    level = random.uniform(0.3, 5) / 255
    noisy = curved + level * random.standard_normal(curved.shape, np.float32) * np.sqrt(0.3 + curved)
    if random.random() < 0.4:
        noisy += random.uniform(0.1, 0.9) * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.2))
    lifted = random.uniform(0, 14) + noisy * 255
    picture = np.clip(lifted, 0, 255).astype(np.uint8)
    if random.random() < 0.04:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(55, 98))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _blur_by_motion(image: Floats32, random: Random) -> Floats32:
    length, angle = int(random.integers(3, 8)), random.uniform(0, np.pi)
    kernel = np.zeros((9, 9), np.float32)
    ends = [
        (round(4 + side * length / 2 * np.cos(angle)), round(4 + side * length / 2 * np.sin(angle))) for side in (1, -1)
    ]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)
