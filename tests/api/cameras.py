"""A small camera over a small table."""

from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker

CAMERA = Camera(
    image_size=(320, 240),
    K=((250.0, 0, 160.0), (0, 251.0, 120.0), (0, 0, 1)),
    dist=(0.0,) * 5,
    covariance=((0.0,) * 9,) * 9,
    rms_px=0.3,
)

# One metre and a bit straight above the table's middle, the picture's top toward the far edge.
POSE = CameraPose(
    rotation=((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    translation_mm=(-200.0, 150.0, 1100.0),
    covariance=((0.0,) * 6,) * 6,
    rms_px=0.2,
    rms_mm=0.1,
    markers=(3,),
    centre_mm=(200.0, 150.0, 1100.0),
)

LAYOUT = Layout(
    table_mm=(400.0, 300.0),
    fiducials=Fiducials(
        dictionary="APRILTAG_36h11",
        marker_mm=80,
        markers=(
            Marker(id=3, corners_mm=((10.0, -30.0, 0.0), (90.0, -30.0, 0.0), (90.0, -110.0, 0.0), (10.0, -110.0, 0.0))),
        ),
    ),
)
