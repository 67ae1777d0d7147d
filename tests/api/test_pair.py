from api.pair import Pair, sheet_of
from models.base import RoundBase
from models.miniature import Miniature
from models.state import TableSize, TableState
from referee import ask


def test_what_only_the_viewers_back_hides_is_not_called_blocked() -> None:
    viewer = Miniature(id="a", base=RoundBase(diameter_mm=30), at_mm=(300, 300), facing_deg=180)
    target = Miniature(id="b", base=RoundBase(diameter_mm=40), at_mm=(600, 310), facing_deg=10)
    table = TableState(
        edition="warmachine-prime", table=TableSize(width_mm=900, depth_mm=800), miniatures=(viewer, target)
    )

    words = {line.slot: line.no for line in sheet_of(table, Pair(a="a", b="b"), ask=ask).lines}
    assert words["sight"] == "Not in front"
    back = {line.slot: line.no for line in sheet_of(table, Pair(a="b", b="a"), ask=ask).lines}
    assert back["sight"] == "Not in front"


def test_what_stands_between_is_called_blocked() -> None:
    viewer = Miniature(id="a", base=RoundBase(diameter_mm=30), at_mm=(300, 300), facing_deg=0)
    screen = Miniature(id="x", base=RoundBase(diameter_mm=50), at_mm=(400, 302))
    target = Miniature(id="b", base=RoundBase(diameter_mm=40), at_mm=(500, 301))
    table = TableState(
        edition="warmachine-prime", table=TableSize(width_mm=900, depth_mm=800), miniatures=(viewer, screen, target)
    )

    words = {line.slot: line.no for line in sheet_of(table, Pair(a="a", b="b"), ask=ask).lines}
    assert words["sight"] == "Blocked"
