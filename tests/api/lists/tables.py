"""Tables with unnamed bases, as a camera sees them at deployment, and lists for them."""

from models.base import RoundBase
from models.miniature import Miniature
from models.state import TableState

SMALL, MEDIUM, LARGE = (RoundBase(diameter_mm=d) for d in (30, 40, 50))
TYPED_RED = b"6 Reeve, red, 30\n8 Slinger, red, 30\n1 Bellwether, red, 50\n"
TYPED_BLUE = b"10 Pikeman, blue, 30\n2 Toll Guard, blue, 40\n1 Drover, blue, 50\n"


def group(first: int, count: int, at_mm: tuple[float, float], base: RoundBase = SMALL) -> tuple[Miniature, ...]:
    """So many in a row, a hand's breadth apart."""
    x, y = at_mm
    return tuple(
        Miniature(id=f"m{first + i}", base=base, at_mm=(x + 45.0 * (i % 5), y + 45.0 * (i // 5))) for i in range(count)
    )


def deployed() -> TableState:
    """Red near: six, eight and a large one; blue far: ten, two and a large one. Nobody has a name or a side."""
    return TableState.model_validate(
        {
            "edition": "warmachine-prime",
            "table": {"width_mm": 1219.2, "depth_mm": 1219.2},
            "miniatures": [
                *(m.model_dump() for m in group(0, 6, (100, 120))),
                *(m.model_dump() for m in group(6, 8, (600, 120))),
                *(m.model_dump() for m in group(14, 1, (450, 200), LARGE)),
                *(m.model_dump() for m in group(15, 10, (300, 1000))),
                *(m.model_dump() for m in group(25, 2, (700, 1000), MEDIUM)),
                *(m.model_dump() for m in group(27, 1, (900, 1050), LARGE)),
            ],
        }
    )
