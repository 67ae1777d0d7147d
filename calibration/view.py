"""View of a table: the camera, its pose over the table and the table's layout in one value, and what it projects."""

from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from calibration.arrays import Floats
from calibration.camera_model import projection
from models.camera import Camera, CameraPose
from models.layout import Layout, Marker, NoFiducials


@dataclass(frozen=True)
class View:
    """Through which lens a picture was taken, from where, and of which table."""

    camera: Camera
    pose: CameraPose
    layout: Layout

    @classmethod
    def of_bare_table(cls, camera: Camera, pose: CameraPose, table_mm: tuple[float, float]) -> "View":
        """The view of a table of which the size alone is known."""
        return cls(camera, pose, Layout(table_mm=table_mm, fiducials=NoFiducials()))

    @property
    def table_mm(self) -> tuple[float, float]:
        return self.layout.table_mm

    @property
    def markers(self) -> tuple[Marker, ...]:
        return self.layout.fiducials.markers

    def used_markers(self) -> list[Marker]:
        """The markers by which the pose was solved."""
        return [marker for marker in self.markers if marker.id in self.pose.markers]

    def with_pose(self, pose: CameraPose) -> "View":
        """The same table through the same lens from elsewhere."""
        return replace(self, pose=pose)

    def project(self, points_mm: ArrayLike) -> Floats:
        """Pixels (N, 2) of points on or over the table; NaN for one behind the camera."""
        return projection.project(points_mm, camera=self.camera, pose=self.pose)

    def intersect_plane(self, points_px: ArrayLike, *, z_mm: ArrayLike) -> Floats:
        """Where the rays of these pixels meet the plane at this height, (N, 2) mm."""
        return projection.intersect_plane(points_px, camera=self.camera, pose=self.pose, z_mm=z_mm)

    def point_jacobian(self, points_mm: ArrayLike) -> Floats:
        """d px / d (x, y, z) on the table, (N, 2, 3)."""
        return projection.point_jacobian(points_mm, camera=self.camera, pose=self.pose)

    def project_jacobian(self, points_mm: ArrayLike) -> Floats:
        """d px / d (x, y) on the table, (N, 2, 2)."""
        return projection.project_jacobian(points_mm, camera=self.camera, pose=self.pose)

    def pose_jacobian(self, points_mm: ArrayLike) -> Floats:
        """d px / d the six parameters of the pose, (N, 2, 6)."""
        return projection.pose_jacobian(points_mm, camera=self.camera, pose=self.pose)

    def camera_jacobian(self, points_mm: ArrayLike) -> Floats:
        """d px / d the parameters of the camera, (N, 2, 4 + terms)."""
        return projection.camera_jacobian(points_mm, camera=self.camera, pose=self.pose)
