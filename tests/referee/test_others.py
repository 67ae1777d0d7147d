"""Other people's answers, replayed through our kernels."""

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
import shapely
from pydantic import ValidationError

from models.terrain import Terrain
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape, disc, polygon_area
from referee.line_of_sight import End, Obstacle, widest_lane

_OTHERS = Path(__file__).with_name("others")

# What we answer otherwise, and why. A test fails when one of these starts to agree.
DIFFERENT = {
    "PeP - point to an empty point": "nothing on a table is empty; we know no distance to nothing",
    "LL - line to empty line": "nothing on a table is empty; we know no distance to nothing",
    "PA - point to empty polygon": "nothing on a table is empty; we know no distance to nothing",
}


def ops(file: str, name: str) -> list[tuple[str, str, str, str | None, str]]:
    """Description, both shapes, the third argument and the answer of every test of this operation."""
    found = []
    for case in ElementTree.parse(_OTHERS / "jts" / file).getroot().iter("case"):
        shapes = {key: " ".join((case.findtext(key.lower()) or "").split()) for key in "AB"}
        for op in case.iter("op"):
            if op.get("name", "").lower() == name.lower():
                a, b = (shapes[(op.get(arg) or "A").upper()] for arg in ("arg1", "arg2"))
                found.append(
                    (" ".join((case.findtext("desc") or "").split()), a, b, op.get("arg3"), (op.text or "").strip())
                )
    return found


def area_of(wkt: str) -> Area:
    """The shape as ours; empty pieces of a collection are nothing."""
    geometry = shapely.from_wkt(wkt)
    pieces = [g for g in getattr(geometry, "geoms", [geometry]) if not g.is_empty]
    return Area(tuple(part for piece in pieces for part in _parts(piece)))


def _parts(piece: shapely.Geometry) -> tuple[RoundedShape, ...]:
    if piece.geom_type == "Point":
        return (disc((piece.x, piece.y), 0.0),)
    if piece.geom_type == "Polygon":
        assert not piece.interiors
        return polygon_area(tuple(piece.exterior.coords)[:-1]).parts
    return tuple(RoundedShape((a, b)) for a, b in pairwise(piece.coords))


def agrees_on_distance(a: str, b: str, expected: float) -> bool:
    mine, theirs = area_of(a), area_of(b)
    if not mine.parts or not theirs.parts:
        return False
    return max(0.0, area_gap(mine, theirs).mm) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("what", "a", "b", "_", "answer"), ops("TestDistance.xml", "distance"))
def test_distances_are_those_of_jts(what: str, a: str, b: str, _: str | None, answer: str) -> None:
    assert agrees_on_distance(a, b, float(answer)) is (what not in DIFFERENT), what


@pytest.mark.parametrize(("what", "a", "b", "limit", "answer"), ops("TestWithinDistance.xml", "isWithinDistance"))
def test_what_jts_calls_within_is_within(what: str, a: str, b: str, limit: str, answer: str) -> None:
    mine, theirs = area_of(a), area_of(b)
    within = bool(mine.parts and theirs.parts) and max(0.0, area_gap(mine, theirs).mm) <= float(limit)

    assert (within is (answer == "true")) is (what not in DIFFERENT), what


def plain_polygons() -> list[tuple[str, str, bool]]:
    """The validity cases about one polygon without holes, which is what our terrain can hold."""
    found = []
    for what, a, _, _, answer in ops("TestValid.xml", "isValid"):
        if a.upper().startswith("POLYGON") and "EMPTY" not in a.upper() and a.count("(") == 2:
            found.append((what, a, answer == "true"))
    return found


@pytest.mark.parametrize(("what", "wkt", "valid"), plain_polygons())
def test_our_outlines_refuse_what_jts_calls_invalid(what: str, wkt: str, valid: bool) -> None:
    numbers = wkt[wkt.index("((") + 2 : wkt.index("))")]
    corners = [[float(n) for n in pair.split()[:2]] for pair in numbers.split(",")]
    try:
        Terrain.model_validate({"id": "t", "kind": "rough", "polygon_mm": corners[:-1]})
        accepted = True
    except ValidationError:
        accepted = False

    assert accepted is valid, what


def test_there_are_answers_to_compare_with() -> None:
    assert len(ops("TestDistance.xml", "distance")) == 32
    assert len(ops("TestWithinDistance.xml", "isWithinDistance")) == 22
    assert len(plain_polygons()) >= 8


def points(name: str) -> list[list[tuple[float, float]]]:
    """The blocks of coordinates of a file."""
    blocks: list[list[tuple[float, float]]] = [[]]
    for line in (_OTHERS / "visilibity" / name).read_text().splitlines():
        if line.startswith("//"):
            blocks.append([])
        elif line.strip():
            x, y = map(float, line.split())
            blocks[-1].append((x, y))
    return [block for block in blocks if block]


@pytest.mark.parametrize("room", ["test", "test1"])
def test_two_points_see_each_other_exactly_when_the_shortest_path_is_straight(room: str) -> None:
    _, *holes = points(f"{room}.environment")
    blocks = tuple(Obstacle(f"h{k}", polygon_area(hole)) for k, hole in enumerate(holes))
    (path,) = points(f"{room}.result")

    def margin(a: tuple[float, float], b: tuple[float, float]) -> float:
        return widest_lane(End(disc(a, 0.0)), End(disc(b, 0.0)), blocks).margin_mm

    assert (margin(path[0], path[-1]) >= 0) is (len(path) == 2)
    assert all(margin(a, b) == pytest.approx(0.0, abs=1e-9) for a, b in pairwise(path))
