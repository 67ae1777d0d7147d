from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4


def regroup(path: Any) -> Verdict:
    lead = mini("c", 600, 600, unit="u", side="red")
    lost = mini("m", 300, 600, unit="u", side="red", profile={"spd_in": 5})
    state = table(lead, lost, units=[{"id": "u", "commander": "c"}])
    return asked(state, "regroup-move", mover="m", path_mm=path)


def test_a_straggler_advances_toward_or_runs_straight_at_its_commander() -> None:
    assert regroup([(300, 600), (400, 640)]).answer == "yes"
    assert regroup([(300, 600), (300 + 9 * INCH, 600)]).answer == "yes"
    assert regroup([(300, 600), (300 + 8 * INCH, 650)]).answer == "no"  # too far for an advance, crooked for a run
    assert regroup([(300, 600), (250, 600)]).answer == "no"
    assert regroup([(300, 600), (400, 640)]).value["forfeits"] == ["combat-action"]
