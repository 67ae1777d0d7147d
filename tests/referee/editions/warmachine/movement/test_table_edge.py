from models.verdict import Verdict
from tests.referee.tables import asked, mini, table


def edge(cause: str, **house: str) -> Verdict:
    state = table(mini("m", 100, 600), house_rules=house)
    return asked(state, "table-edge", mover="m", heading_deg=180, distance_in=5, cause=cause)


def test_a_shove_stops_at_the_tables_edge() -> None:
    verdict = edge("involuntary")

    assert (verdict.value["result"], verdict.value["to_edge_mm"]) == ("stops", 85)
    assert verdict.value["poses"] == {"m": {"at_mm": [15, 600]}}
    assert edge("involuntary", **{"edge-stop": "centre"}).value["to_edge_mm"] == 100


def test_an_advance_does_not_leave_the_table() -> None:
    assert edge("move").value["result"] == "not-allowed"
    state = table(mini("m", 600, 600))
    stays = asked(state, "table-edge", mover="m", heading_deg=180, distance_in=5)
    assert stays.value["result"] == "stays"
