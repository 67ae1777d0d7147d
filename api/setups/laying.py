"""From a table to a setup, from a setup to the one step that lays it out, and who on the table may be who."""

from collections.abc import Sequence

from api.corrections.correction import AboutTable, Lay, Several, Single, TakeAway
from api.errors import BadCorrection
from api.setups.words import Expected, Found, Keep, Part, Rules, Setup, SetupTold
from models.miniature import Miniature
from models.state import TableState
from models.terrain import Objective, Terrain, Zone
from models.words import Id


def setup_of(state: TableState, name: str, keep: Keep, *, expected: tuple[Expected, ...]) -> Setup:
    """These parts of the table as it is."""
    has_terrain = "terrain" in keep.parts
    rules = Rules(edition=state.edition, house_rules=state.house_rules, scenario=state.scenario, sides=state.sides)
    return Setup(
        name=name,
        width_mm=state.table.width_mm,
        depth_mm=state.table.depth_mm,
        terrain=state.terrain if has_terrain else None,
        objectives=state.objectives if has_terrain else (),
        zones=state.zones if has_terrain else (),
        rules=rules if "rules" in keep.parts else None,
        expected=expected if "expected" in keep.parts else None,
    )


def told(setup: Setup) -> SetupTold:
    """The setup in a few words."""
    parts: list[Part] = [part for part in ("terrain", "rules", "expected") if getattr(setup, part) is not None]
    pieces = len(setup.terrain or ()) + len(setup.objectives) + len(setup.zones)
    return SetupTold(name=setup.name, parts=tuple(parts), pieces=pieces)


def step_of(setup: Setup, state: TableState) -> Several | None:
    """What lays the setup out on this table; None when it holds expected bases only.

    Raises: BadCorrection when it was made for a larger table.
    """
    size = state.table
    if (setup.width_mm or 0) > size.width_mm + 1 or (setup.depth_mm or 0) > size.depth_mm + 1:
        told = f"This setup was made for a table {_size_of(setup)}."
        raise BadCorrection(told, field="name", value=setup.name)
    steps: list[Single] = []
    if setup.terrain is not None:
        gone = [*_ids(state.terrain), *_ids(state.objectives), *_ids(state.zones)]
        steps += [TakeAway(do="take-away", ids=tuple(gone))] if gone else []
        laid = {"terrain": setup.terrain, "objectives": setup.objectives, "zones": setup.zones}
        steps += [Lay(do="lay", **laid)] if any(laid.values()) else []
    if setup.rules is not None:
        steps.append(AboutTable(do="table", **{name: value for name, value in setup.rules if value}))
    return Several(do="several", corrections=tuple(steps)) if steps else None


def _size_of(setup: Setup) -> str:
    """As much of the size of its table as it tells."""
    sides = (("wide", setup.width_mm), ("deep", setup.depth_mm))
    return " and ".join(f"{mm:g} mm {how}" for how, mm in sides if mm is not None)


def _ids(things: Sequence[Terrain] | Sequence[Objective] | Sequence[Zone]) -> list[Id]:
    return [thing.id for thing in things]


def found(expected: Sequence[Expected], state: TableState | None) -> tuple[Found, ...]:
    """Each expected miniature with those on the table that bear its name, and those that may be it."""
    standing = () if state is None else tuple(m for m in state.miniatures if "removed" not in m.status)
    names = {one.name for one in expected}
    return tuple(
        Found(
            expected=one,
            named=tuple(m.id for m in standing if m.name == one.name),
            may_be=tuple(m.id for m in standing if _may_be(m, one) and m.name not in names),
        )
        for one in expected
    )


def _may_be(miniature: Miniature, expected: Expected) -> bool:
    has_same_side = expected.side is None or miniature.side in (None, expected.side)
    return miniature.base == expected.base and has_same_side
