"""Error modes: what a table's errors move together."""

from models.state import TableState
from referee.uncertainty.error_modes import modes_of
from tests.referee.editions.warhammer_9.tables import block, table


def shared(formation: str) -> TableState:
    """Two ranks of five, of which one error moves all together."""
    state = table([block("A", "red", (600, 300), 90, 5, 10) | {"formation": formation}])
    ids = [one.id for one in state.miniatures]
    raw = state.model_dump() | {"common_mm": [{"name": "piece", "shift_mm": dict.fromkeys(ids, (0.3, 0.0))}]}
    for one in raw["miniatures"]:
        one["sigma"] = {"at_mm": 0.3}
        one["covariance_mm2"] = [[0.09, 0.0], [0.0, 0.0]]
    return TableState.model_validate(raw)


def test_what_a_ranked_unit_shares_moves_its_rear_rank_with_its_front() -> None:
    (mode,) = modes_of(shared("ranked"), ("A/0-0",))

    assert len(mode) == 10


def test_what_skirmishers_share_moves_those_who_are_asked_about() -> None:
    (mode,) = modes_of(shared("skirmish"), ("A/0-0",))

    assert list(mode) == ["A/0-0"]
