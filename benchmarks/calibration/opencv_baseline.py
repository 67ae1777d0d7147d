"""What a user would write instead: OpenCV's own calibration and pose, corner refinement as it comes or by choice."""

from collections.abc import Sequence

import cv2
import numpy as np

from benchmarks.calibration.rendered_scenes import Scene
from calibration.arrays import Floats, Image
from calibration.pose.fiducial_residuals import find_dictionary
from calibration.pose.pose_fit import pose_from_rotation
from models.board import BoardFile, CharucoBoard
from models.camera import Camera, CameraPose

REFINEMENTS = {
    "none": cv2.aruco.CORNER_REFINE_NONE,
    "subpix": cv2.aruco.CORNER_REFINE_SUBPIX,
    "contour": cv2.aruco.CORNER_REFINE_CONTOUR,
    "apriltag": cv2.aruco.CORNER_REFINE_APRILTAG,
}


def calibrate(described: BoardFile, views: Sequence[tuple[str, Image]]) -> Camera:
    """`cv2.calibrateCamera` on what `CharucoDetector` finds."""
    board = described.board
    assert isinstance(board, CharucoBoard)
    size = (board.squares_x, board.squares_y)
    printed = cv2.aruco.CharucoBoard(size, board.square_mm, board.marker_mm, find_dictionary(board.dictionary))
    detector = cv2.aruco.CharucoDetector(printed)
    places, seen = [], []
    for _, image in views:
        corners, ids, _, _ = detector.detectBoard(image)
        on_board = np.asarray(printed.getChessboardCorners())[np.ravel(ids)]
        places.append(on_board)
        seen.append(np.asarray(corners))
    height, width = views[0][1].shape
    rms, k, dist, _, _ = cv2.calibrateCamera(places, seen, (width, height), None, None)
    terms = np.ravel(dist)[:5].tolist()
    covariance = np.zeros((9, 9)).tolist()
    return Camera(
        image_size=(width, height), model="brown", K=k.tolist(), dist=terms, covariance=covariance, rms_px=rms
    )


def corners(scene: Scene, *, refinement: str) -> dict[int, Floats]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = REFINEMENTS[refinement]
    detector = cv2.aruco.ArucoDetector(find_dictionary(scene.layout.fiducials.dictionary), parameters)
    quads, ids, _ = detector.detectMarkers(cv2.cvtColor(scene.image, cv2.COLOR_BGR2GRAY))
    known = {marker.id for marker in scene.layout.fiducials.markers}
    detections = zip([] if ids is None else np.ravel(ids).tolist(), quads, strict=True)
    return {int(i): np.asarray(quad, np.float64).reshape(4, 2) for i, quad in detections if i in known}


def pose(scene: Scene, camera: Camera, seen: dict[int, Floats]) -> CameraPose:
    """`cv2.solvePnP` over all corners."""
    places = {marker.id: marker.corners_mm for marker in scene.layout.fiducials.markers}
    on_table = np.concatenate([places[i] for i in seen])
    on_picture = np.concatenate([seen[i] for i in seen])
    _, turn, shift = cv2.solvePnP(on_table, on_picture, np.array(camera.K), np.array(camera.dist))
    return pose_from_rotation(np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.ravel(shift).astype(np.float64))
