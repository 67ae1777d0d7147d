"""What users would pick instead: ultralytics' `track` with its two trackers, on the weights that ship here.

As its makers would run it: on the straightened table at the scale the network was trained for, the longer side as
image size, oriented boxes, `persist`, on each frame; the least confidence is the best of several for the games scored.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from benchmarks.tracking.tracking_score import Seen
from calibration.pose.locate_table import locate_table
from models.camera import Camera
from models.layout import Layout
from vision.capture.sources import Frame
from vision.detection.network.inference import PX_PER_MM
from vision.rectification.rectify import rectification_maps, rectify, table_window
from vision.rectification.search_windows import HALF_RIM_MM

TRACKERS = ("bytetrack.yaml", "botsort.yaml")


def is_installed() -> bool:
    """Whether the extra `train` is."""
    try:
        import ultralytics  # noqa: F401 - only whether it is there
    except ImportError:
        return False
    return True


def track_frames(
    frames: Iterable[Frame], *, camera: Camera, layout: Layout, tracker: str, least: float
) -> Iterator[tuple[float, Seen, float]]:
    """For every frame its time, where each track is, and the seconds it took; straightening included."""
    import time

    from ultralytics import YOLO

    from vision.training.yolo import WEIGHTS

    network = YOLO(WEIGHTS, task="obb")
    window = table_window(layout.table_mm, px_per_mm=PX_PER_MM, margin_mm=40.0)
    maps = None
    side = -(-max(window.size_px) // 32) * 32
    for frame in frames:
        if maps is None:
            pose = locate_table(frame.image, camera=camera, layout=layout)
            maps = rectification_maps(window, camera=camera, pose=pose, z_mm=HALF_RIM_MM)
        began = time.process_time()
        picture = rectify(frame.image, maps)
        (result,) = network.track(
            picture, persist=True, tracker=tracker, conf=least, imgsz=side, device="cpu", verbose=False
        )
        took_s = time.process_time() - began
        yield frame.t_s, _read_boxes(result, window), took_s


def _read_boxes(result: Any, window: Any) -> Seen:
    boxes = result.obb
    if boxes is None or boxes.id is None:
        return {}
    places = window.to_mm(boxes.xywhr[:, :2].numpy().astype(np.float64) - 0.5)
    return {str(int(name)): (float(x), float(y)) for name, (x, y) in zip(boxes.id, places, strict=True)}
