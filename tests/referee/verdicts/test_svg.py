"""Pictures of verdicts are texts, so a change can be read."""

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from referee.verdicts.svg import draw
from tests.strategies import mini, state_of

_GOLDEN = Path(__file__).with_name("pictures")


def scene() -> TableState:
    wall = {
        "id": "wall",
        "kind": "wall",
        "polygon_mm": [[420, 560], [440, 560], [440, 590], [420, 590]],
        "height_mm": 60,
    }
    wood = {"id": "wood", "kind": "forest", "polygon_mm": [[350, 640], [470, 640], [470, 720], [350, 720]]}
    fog = {"id": "fog", "kind": "cloud", "centre_mm": [520, 540], "diameter_mm": 76.2}
    minis = [mini("viewer", 300, 600, side="red"), mini("screen", 400, 612, 40), mini("target", 500, 600, side="blue")]
    return state_of(minis, terrain=[wall, wood], effects=[fog])


def screened() -> TableState:
    """Two screens side by side in the way, and every place measured."""
    seen = {"sigma": {"at_mm": 0.3}}
    minis = [mini("viewer", 300, 600, side="red", **seen), mini("target", 500, 600, side="blue", **seen)]
    screens = [mini("left", 400, 625.1, 50, **seen), mini("right", 400, 574.9, 50, **seen)]
    return state_of([*minis, *screens, mini("far-left", 400, 676, 50), mini("far-right", 400, 524, 50)])


def crossed() -> TableState:
    """One large screen in the way, and a wall an inch before the target."""
    wall = {
        "id": "wall",
        "kind": "wall",
        "polygon_mm": [[455, 570], [463, 570], [463, 630], [455, 630]],
        "height_mm": 60,
    }
    minis = [mini("viewer", 300, 600, side="red"), mini("screen", 380, 604, 50), mini("target", 500, 600, side="blue")]
    return state_of(minis, terrain=[wall])


def unsure_of_its_facing() -> TableState:
    """Whether the one beside it is behind hangs on a facing that is known to four degrees."""
    looks = {"facing_deg": 90.0, "sigma": {"at_mm": 0.3, "facing_deg": 4.0}}
    return state_of([mini("viewer", 300, 600, side="red", **looks), mini("beside", 420, 582, side="blue")])


LOS = {"kind": "los", "viewer": "viewer", "target": "target"}


@pytest.mark.parametrize(
    ("name", "state", "query"),
    [
        ("sight", scene(), LOS),
        ("blocked", crossed(), LOS),
        ("too-close", screened(), LOS),
        ("arc", scene(), {"kind": "in-front-arc", "viewer": "target", "target": "screen"}),
        ("swing", unsure_of_its_facing(), {"kind": "in-front-arc", "viewer": "viewer", "target": "beside"}),
        ("distance", scene(), {"kind": "distance", "a": "viewer", "b": "wood"}),
        ("reach", crossed(), {"kind": "melee-range", "attacker": "viewer", "target": "screen", "reach_in": 2}),
        ("cover", crossed(), {"kind": "cover", "attacker": "viewer", "target": "target"}),
        ("intervening", scene(), {"kind": "intervening", "viewer": "viewer", "target": "target", "blocker": "screen"}),
    ],
)
def test_the_picture_of_a_verdict_is_the_one_looked_at(name: str, state: TableState, query: dict[str, object]) -> None:
    """To draw them anew after a change that was meant: TABLESIDE_DRAW=1 pytest tests/referee/verdicts/test_svg.py."""
    drawn = draw(state, ask(state, parse_query(query)))
    golden = _GOLDEN / f"{name}.svg"
    if os.environ.get("TABLESIDE_DRAW"):
        golden.write_text(drawn)

    assert golden.read_text() == drawn


def test_a_picture_is_well_formed_and_names_its_answer() -> None:
    root = ElementTree.fromstring(
        draw(scene(), ask(scene(), parse_query({"kind": "b2b", "a": "viewer", "b": "screen"})))
    )

    assert root[0].text is not None
    assert root[0].text.startswith("b2b: no")


def test_names_from_outside_cannot_break_the_picture() -> None:
    state = state_of([mini("a", 300, 600, name="<b>&</b>"), mini("b", 400, 600)])

    drawn = draw(state, ask(state, parse_query({"kind": "distance", "a": "a", "b": "b"})))

    assert ElementTree.fromstring(drawn) is not None
