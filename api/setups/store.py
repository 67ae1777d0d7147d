"""Set-ups: kept from game to game, laid onto a table that is played, and which side each miniature may be of."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from api.corrections.schemas import (
    CorrectionGroup,
    PlacementCorrection,
    RemovalCorrection,
    SingleCorrection,
    TableCorrection,
)
from api.errors import BadCorrection, JournalFailed, NoPicture, NoSuchSetup
from api.setups.schemas import (
    ExpectedMatch,
    ExpectedMiniature,
    Part,
    ProposedSide,
    ProposedSides,
    Rules,
    Setup,
    SetupParts,
    SetupSummary,
)
from api.storage.files import load, portable_name, save
from models.base import RoundBase
from models.errors import BadFile, BadInput
from models.miniature import Miniature
from models.state import TableState
from models.terrain import Objective, Terrain, Zone
from models.vocabulary import Id
from vision.rectification.rectify import table_window
from vision.tracking.side_clustering import cluster_sides, describe_paint

log = logging.getLogger(__name__)
MOST_SETUPS = 500
_NAMES = ("near", "far")  # of sides that nobody has named yet: where they stand
_NONE = "All of them look alike, or there are too few to tell two armies apart."
_TWO = "Proposed by the paint of rims and miniatures. Tap whoever is on the wrong side."


class SetupStore:
    """Setups by name; blanks and capitals do not tell two apart. Without a folder they end with the process."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._setups: dict[str, Setup] = {}
        for path in sorted(folder.glob("*.json")) if folder is not None else ():
            self._read(path)

    def all(self) -> tuple[Setup, ...]:
        return tuple(setup for _, setup in sorted(self._setups.items()))

    def find_setup(self, name: str) -> Setup:
        """Raises: NoSuchSetup."""
        if _key(name) not in self._setups:
            raise NoSuchSetup(f"No setup {name!r} is kept.", field="name", value=name)
        return self._setups[_key(name)]

    def put(self, setup: Setup) -> None:
        """Keep it, in place of one of the same name. Raises: BadInput when the shelf is full; JournalFailed."""
        if len(self._setups) >= MOST_SETUPS and _key(setup.name) not in self._setups:
            raise BadInput(f"at most {MOST_SETUPS} setups are kept", field="name", value=setup.name)
        if self._folder is not None:
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # as private as the journal beside it
                save(setup, self._path(setup.name), is_private=True)
            except (OSError, BadFile) as wrong:
                raise JournalFailed(f"The setup cannot be kept: {wrong}.") from wrong
        self._setups[_key(setup.name)] = setup

    def remove(self, name: str) -> Setup:
        """The setup that is kept no more. Raises: NoSuchSetup; JournalFailed, and then it is still kept."""
        self.find_setup(name)
        if self._folder is not None:
            try:
                self._path(name).unlink(missing_ok=True)
            except OSError as wrong:
                raise JournalFailed(f"The setup cannot be removed: {wrong.strerror}.") from wrong
        return self._setups.pop(_key(name))

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{portable_name(_key(name))}.json"

    def _read(self, path: Path) -> None:
        try:
            setup = load(Setup, path, error=BadInput)
        except BadInput as wrong:
            log.warning("setup passed over file=%s why=%s", path.name, wrong.detail)
            return
        self._setups[_key(setup.name)] = setup


def _key(name: str) -> str:
    return "-".join(name.lower().split())


def make_setup(state: TableState, name: str, keep: SetupParts, *, expected: tuple[ExpectedMiniature, ...]) -> Setup:
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


def propose_sides(state: TableState, jpeg: bytes | None) -> ProposedSides:
    """The sides in this picture of the table from above. Raises: NoPicture."""
    if jpeg is None:
        raise NoPicture("The camera has sent no picture of the table yet.")
    picture = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    size = (state.table.width_mm, state.table.depth_mm)
    window = table_window(size, px_per_mm=picture.shape[1] / size[0])
    standing = [m for m in state.miniatures if "removed" not in m.status]
    clusters = cluster_sides([describe_paint(picture, m.at_mm, _half_mm(m), window) for m in standing])
    if clusters is None:
        return ProposedSides(sides=(), unsure=tuple(m.id for m in standing), says=_NONE)
    near, far = sorted(([standing[k] for k in part] for part in (clusters.first, clusters.second)), key=_depth_mm)
    names = _choose_names(near, far)
    sides = tuple(ProposedSide(name=name, ids=_ids_of(of)) for name, of in zip(names, (near, far), strict=True))
    return ProposedSides(sides=sides, unsure=_ids_of([standing[k] for k in clusters.unsure]), says=_TWO)


def _half_mm(miniature: Miniature) -> float:
    base = miniature.base
    return base.radius_mm if isinstance(base, RoundBase) else min(base.width_mm, base.depth_mm) / 2


def _depth_mm(side: list[Miniature]) -> float:
    """How far from the near edge it stands on the whole."""
    return sum(m.at_mm[1] for m in side) / max(1, len(side))


def _choose_names(near: list[Miniature], far: list[Miniature]) -> tuple[str, str]:
    """The names the players gave already, each to those who mostly bear it; else where they stand."""
    known = sorted({m.side for m in (*near, *far) if m.side is not None})
    if len(known) != 2:
        return _NAMES
    first, second = known
    return (first, second) if _bear(near, first) + _bear(far, second) >= _bear(near, second) + _bear(far, first) else (
        second, first
    )  # fmt: skip


def _bear(side: list[Miniature], name: str) -> int:
    return sum(m.side == name for m in side)


def _ids_of(miniatures: list[Miniature]) -> tuple[Id, ...]:
    return tuple(m.id for m in miniatures)
