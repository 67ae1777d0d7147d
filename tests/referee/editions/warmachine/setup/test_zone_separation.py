from models.verdict import Verdict
from tests.referee.tables import asked, table

INCH = 25.4


def test_rival_zones_are_twenty_eight_inches_apart() -> None:
    def apart(gap_in: float) -> Verdict:
        near = {"id": "a", "kind": "deployment", "polygon_mm": [[0, 0], [1219, 0], [1219, 100], [0, 100]]}
        far = 100 + gap_in * INCH
        away = {"id": "b", "kind": "deployment", "polygon_mm": [[0, far], [1219, far], [1219, far + 99], [0, far + 99]]}
        return asked(table(zones=[near, away]), "zone-separation", a="a", b="b")

    assert (apart(28).answer, apart(28).margin_mm) == ("yes", 0)
    assert apart(27.9).answer == "no"
