"""Movement: climbing on top of an obstacle."""

import pytest

from tests.referee.tables import asked, box, mini, table


@pytest.mark.parametrize(
    ("height", "across", "status"), [(25.3, 60, "decided"), (40, 60, "refused"), (20, 10, "refused")]
)
def test_a_platform_is_climbed_while_it_is_low_and_thick(height: float, across: float, status: str) -> None:
    platform = box("p", "platform", 355, 500, 355 + across, 700, height_mm=height)
    state = table(
        mini("m", 300, 600), terrain=[platform], edition="hordes-mk2", house_rules={"measure-policy": "allow"}
    )

    assert asked(state, "climb", mover="m", feature="p", heading_deg=0, distance_in=5).status == status
