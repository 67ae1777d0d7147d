"""Nominal camera: one that would take the given picture of the table from straight above.

It hangs over the middle of the table, as high as cameras usually do, and what lies on the table appears where it is.
"""

from models.camera import Camera, CameraPose

USUAL_HEIGHT_MM = 1500.0  # where nobody says how high the camera hangs


def _zero_matrix(numbers: int) -> tuple[tuple[float, ...], ...]:
    return ((0.0,) * numbers,) * numbers


def overhead_camera(size_px: tuple[int, int], table_mm: tuple[float, float]) -> tuple[Camera, CameraPose]:
    """Camera and pose; `size_px` is the width and height of the picture of the whole table."""
    (wide_px, tall_px), (width, depth) = size_px, table_mm
    focal = (USUAL_HEIGHT_MM * wide_px / width, USUAL_HEIGHT_MM * tall_px / depth)
    camera = Camera(
        image_size=size_px,
        model="pinhole2",
        K=((focal[0], 0.0, (wide_px - 1) / 2), (0.0, focal[1], (tall_px - 1) / 2), (0.0, 0.0, 1.0)),
        dist=(0.0,) * 4,  # OpenCV wants four terms at least
        covariance=_zero_matrix(8),
        rms_px=0.0,
    )
    pose = CameraPose(
        rotation=((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
        translation_mm=(-width / 2, depth / 2, USUAL_HEIGHT_MM),
        covariance=_zero_matrix(6),
        rms_px=0.0,
        rms_mm=0.0,
        markers=(),
        centre_mm=(width / 2, depth / 2, USUAL_HEIGHT_MM),
    )
    return camera, pose
