"""Tables for properties."""

import math
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from models.state import TableState

DIAMETERS = (30, 40, 50, 120)
_SEARCHED = 10


def examples(quick: int) -> settings:
    """So many examples of a law whose examples cost much, and ten times as many where `make test-search` looks anew."""
    return settings(max_examples=quick * (_SEARCHED if settings.get_current_profile_name() == "search" else 1))


def state_of(minis: list[dict[str, Any]], **more: Any) -> TableState:
    """A Prime table with these miniatures."""
    plain = {"version": 1, "edition": "warmachine-prime", "table": {"width_mm": 1219.2, "depth_mm": 1219.2}}
    return TableState.model_validate(plain | {"miniatures": minis} | more)


def mini(id_: str, x: float, y: float, d: float = 30, facing: float | None = 0.0, **more: Any) -> dict[str, Any]:
    return {"id": id_, "base": {"shape": "round", "diameter_mm": d}, "at_mm": [x, y], "facing_deg": facing} | more


@st.composite
def tables(draw: st.DrawFn, *, most: int = 7, terrain: bool = True) -> TableState:
    """Two to `most` bases that do not overlap, with a few pieces of terrain."""
    minis: list[dict[str, Any]] = []
    for k in range(draw(st.integers(2, most))):
        d = draw(st.sampled_from(DIAMETERS[: 4 if k < 2 else 3]))
        x, y = draw(st.floats(200, 900)), draw(st.floats(400, 750))
        far = all(math.dist((x, y), m["at_mm"]) > (d + m["base"]["diameter_mm"]) / 2 + 0.5 for m in minis)
        if far or k < 2:
            x = x if far else 1100.0
            minis.append(mini(f"m{k}", x, y, d, draw(st.floats(0, 359))))
    grounds = [draw(ground(k)) for k in range(draw(st.integers(0, 2)))] if terrain else []
    return state_of(minis, terrain=grounds)


@st.composite
def screened(draw: st.DrawFn) -> TableState:
    """A viewer that looks at a small target far ahead, past one to four bases that stand between and mostly aside."""
    ends = [mini("m0", 300.0, 600.0, draw(st.sampled_from(DIAMETERS)), 0.0), mini("m1", 900.0, 610.0, 30, 180.0)]
    screens: list[dict[str, Any]] = []
    for k in range(draw(st.integers(1, 4))):
        d, aside = draw(st.sampled_from(DIAMETERS[:3])), draw(st.floats(10, 160))
        x, y = 420.0 + 100.0 * k + draw(st.floats(-20, 20)), 605.0 + aside * draw(st.sampled_from((-1, 1)))
        screens.append(mini(f"m{k + 2}", x, y, d))
    return state_of(ends + screens)


@st.composite
def ground(draw: st.DrawFn, k: int) -> dict[str, Any]:
    kind, height = draw(st.sampled_from([("wall", 50), ("building", 100), ("wall", 25), ("obstruction", 60)]))
    x, y, a = draw(st.floats(300, 800)), draw(st.floats(400, 750)), draw(st.floats(0, 3.1))
    w, h = draw(st.floats(10, 120)), draw(st.floats(10, 120))
    corners = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    outline = [[x + math.cos(a) * u - math.sin(a) * v, y + math.sin(a) * u + math.cos(a) * v] for u, v in corners]
    return {"id": f"t{k}", "kind": kind, "polygon_mm": outline, "height_mm": height}


@st.composite
def rigid_motions(draw: st.DrawFn) -> tuple[float, float, float, bool]:
    """A turn in radians, a shift, and whether the table is mirrored first."""
    return draw(st.floats(-3.1, 3.1)), draw(st.floats(-500, 500)), draw(st.floats(-500, 500)), draw(st.booleans())


def moved(state: TableState, motion: tuple[float, float, float, bool]) -> TableState:
    """The whole table moved."""
    turn, dx, dy, mirrored = motion
    c, s = math.cos(turn), math.sin(turn)

    def at(p: Any) -> list[float]:
        x, y = (p[0], -p[1]) if mirrored else p
        return [c * x - s * y + dx, s * x + c * y + dy]

    def facing(deg: float) -> float:
        return (-deg if mirrored else deg) + math.degrees(turn)

    raw = state.model_dump(mode="json")
    for one in raw["miniatures"]:
        one["at_mm"] = at(one["at_mm"])
        one["facing_deg"] = None if one["facing_deg"] is None else facing(one["facing_deg"])
    for one in raw["terrain"]:
        one["polygon_mm"] = [at(p) for p in one["polygon_mm"]]
    return TableState.model_validate(raw)
