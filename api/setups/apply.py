"""Apply a setup: table -> setup, setup -> the one step that lays it out, and who on the table may be who."""

from collections.abc import Mapping, Sequence

from api.corrections.schemas import (
    CorrectionGroup,
    PlacementCorrection,
    RemovalCorrection,
    SingleCorrection,
    TableCorrection,
)
from api.errors import BadCorrection
from api.setups.schemas import ExpectedMatch, ExpectedMiniature, Part, Rules, Setup, SetupParts, SetupSummary
from models.miniature import Miniature
from models.state import TableState
from models.terrain import Objective, Terrain, Zone
from models.vocabulary import Id


def make_setup(state: TableState, name: str, keep: SetupParts, *, expected: tuple[ExpectedMiniature, ...]) -> Setup:
    """A setup of these parts of the table as it is."""
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


def summarise_setup(setup: Setup) -> SetupSummary:
    """The setup in a few words."""
    parts: list[Part] = [part for part in ("terrain", "rules", "expected") if getattr(setup, part) is not None]
    pieces = len(setup.terrain or ()) + len(setup.objectives) + len(setup.zones)
    return SetupSummary(name=setup.name, parts=tuple(parts), pieces=pieces)


def setup_correction(setup: Setup, state: TableState) -> CorrectionGroup | None:
    """What lays the setup out on this table; None when it holds expected bases only.

    Raises: BadCorrection when it was made for a larger table.
    """
    size = state.table
    if (setup.width_mm or 0) > size.width_mm + 1 or (setup.depth_mm or 0) > size.depth_mm + 1:
        made_for = f"This setup was made for a table {_size_of(setup)}."
        raise BadCorrection(made_for, field="name", value=setup.name)
    steps: list[SingleCorrection] = []
    if setup.terrain is not None:
        gone = [*_ids(state.terrain), *_ids(state.objectives), *_ids(state.zones)]
        steps += [RemovalCorrection(do="take-away", ids=tuple(gone))] if gone else []
        laid = {"terrain": setup.terrain, "objectives": setup.objectives, "zones": setup.zones}
        steps += [PlacementCorrection(do="lay", **laid)] if any(laid.values()) else []
    if setup.rules is not None:
        steps.append(TableCorrection(do="table", **{name: value for name, value in setup.rules if value}))
    return CorrectionGroup(do="several", corrections=tuple(steps)) if steps else None


def _size_of(setup: Setup) -> str:
    """As much of the size of its table as it tells."""
    sides = (("wide", setup.width_mm), ("deep", setup.depth_mm))
    return " and ".join(f"{mm:g} mm {how}" for how, mm in sides if mm is not None)


def _ids(things: Sequence[Terrain] | Sequence[Objective] | Sequence[Zone]) -> list[Id]:
    return [thing.id for thing in things]


def match_expected(expected: Sequence[ExpectedMiniature], state: TableState | None) -> tuple[ExpectedMatch, ...]:
    """Each expected miniature with those on the table that bear its name, and those that may be it."""
    standing = () if state is None else tuple(m for m in state.miniatures if "removed" not in m.status)
    unit_names = {} if state is None else {unit.id: unit.name for unit in state.units}
    taken = {m.id for m in standing for miniature in expected if is_named(m, miniature, unit_names)}
    return tuple(
        ExpectedMatch(
            expected=miniature,
            named=tuple(m.id for m in standing if is_named(m, miniature, unit_names)),
            may_be=tuple(m.id for m in standing if m.id not in taken and may_be(m, miniature)),
        )
        for miniature in expected
    )


def is_named(miniature: Miniature, expected: ExpectedMiniature, unit_names: Mapping[Id, str | None]) -> bool:
    """Whether it bears this name, on this side and in this unit where they are told."""
    if miniature.name != expected.name or (expected.side is not None and miniature.side not in (None, expected.side)):
        return False
    is_of_no_unit = expected.unit is None or miniature.unit is None
    return (
        is_of_no_unit or miniature.unit == expected.unit or unit_names.get(miniature.unit or "") == expected.unit_name
    )


def may_be(miniature: Miniature, expected: ExpectedMiniature) -> bool:
    """Whether base and side allow it."""
    has_same_side = expected.side is None or miniature.side in (None, expected.side)
    return has_same_side and expected.base in (None, miniature.base)
