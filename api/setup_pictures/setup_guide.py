"""Guided set-up: choices and pictures come in one by one; after each, what it comes to and what is missing."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain, count

import numpy as np

from api.setup_pictures.draft import Draft, DraftFolder, KeptPage, KeptPicture, SetupResult, TakenBy
from api.setup_pictures.marked_photograph import MarkedPhotographs, Rim
from api.setup_pictures.schemas import (
    MarkedPose,
    PhotographMarks,
    PictureNote,
    SetupChoice,
    SetupStatus,
    SheetTaps,
    TapPicture,
)
from api.setup_pictures.solve_draft import FEWEST, HeldPictures, SheetLooks, eye_pictures, solve_draft
from api.setup_pictures.sweep import SweepPicture, first_doubt, join_photographs, lens_of
from api.setup_pictures.terrain_step import TerrainStep
from api.storage.camera_profiles import Profiles, device_of
from calibration.arrays import Floats, Image
from calibration.image import to_gray
from calibration.setup.pages import PAGES
from calibration.setup.picture_intake import Intake, describe_cut
from calibration.setup.solve_setup import Setup
from models.errors import BadInput, TablesideError
from models.terrain import Terrain
from vision.capture.image_decoding import decode_unrotated

EIGHTHS = 8
LOOK = "look"
_ENOUGH = 6  # pictures of a sweep
_PLACES = ("near side", "near right", "right side", "far right", "far side", "far left", "left side", "near left")

Grab = Callable[[str], Image]
"""The newest picture of a source; raises SourceLost or BadFile."""


@dataclass
class SetupGuide:
    """One table's set-up. Everything chosen and read is on the disk before it is answered; pictures never are."""

    name: str
    folder: DraftFolder
    grab: Grab
    profiles: Profiles
    _draft: Draft = field(init=False)
    _sharp: dict[str, SweepPicture] = field(default_factory=dict)
    _trouble: str | None = None
    _ring: tuple[bool, ...] = (False,) * EIGHTHS
    _sheets: SheetLooks = field(default_factory=SheetLooks)
    _marked: MarkedPhotographs = field(default_factory=MarkedPhotographs)
    _held: HeldPictures = field(default_factory=HeldPictures)
    _laid: tuple[Terrain, ...] = ()
    _lock: threading.Lock = field(default_factory=threading.Lock)
    terrain: TerrainStep = field(init=False)

    def __post_init__(self) -> None:
        self._draft = self.folder.read()
        self.terrain = TerrainStep(self.folder, self._held, self._sheets, self._change)

    @property
    def draft(self) -> Draft:
        return self._draft

    @property
    def laid_terrain(self) -> tuple[Terrain, ...]:
        """What lies on the table that was begun."""
        return self._laid

    def status(self) -> SetupStatus:
        draft = self._draft
        return SetupStatus(
            name=self.name,
            eye=draft.eye,
            source=draft.source,
            table_mm=draft.table_mm,
            ruler_mm=draft.ruler_mm,
            paper=draft.paper,
            edition=draft.edition,
            pictures=tuple(_note(picture) for picture in draft.pictures),
            ring=self._ring,
            wants=self._wants(),
            trouble=self._trouble,
            result=draft.result,
            is_lens_known=draft.lens is not None,
        )

    def choose(self, choice: SetupChoice) -> SetupStatus:
        """Take a choice; what was measured under another size or ruler is measured again. Raises: BadFile, BadInput."""
        with self._lock:
            changes = choice.model_dump(exclude_unset=True)
            before = self._draft
            draft = before.model_copy(update=changes)
            if changes.keys() & {"eye", "source"}:
                draft = self._with_other_eye(draft)
            if (draft.paper, draft.table_mm) != (before.paper, before.table_mm):
                draft = draft.model_copy(update={"result": None, "terrain": None})
            self._keep(draft)
            if (draft.table_mm, draft.ruler_mm) != (before.table_mm, before.ruler_mm) or draft.result is None:
                self._solve()
        return self.status()

    def begin(self) -> Draft:
        """The table is played: its lens is known from now on, and next time the pages are photographed anew.

        Raises: BadInput while nothing is solved; BadFile, BadCamera.
        """
        with self._lock:
            played = self._draft
            result = played.result
            if result is None or played.eye is None or not self.folder.is_solved(result.by):
                raise BadInput(f"the table is not ready: {self._wants()}", field="result", value=None)
            self._laid = self.terrain.laid(played)
            self._held.clear()
            self._marked.clear()
            left = played.model_copy(update={"terrain": None, "terrain_name": None})
            if result.by != "pages":
                self._keep(left)
                return played
            camera = self.folder.camera()
            if played.eye == "camera" and played.source is not None:
                self.profiles.save(camera, device=device_of(played.source))
            self._keep(left.model_copy(update={"pictures": (), "lens": camera}))
            return played

    def add_photograph(self, data: bytes, name: str) -> SetupStatus:
        """A photograph from a phone. Raises: BadFile, BadInput; nothing kept before is lost."""
        (picture,) = join_photographs([(name, data)])
        return self._add(picture, lambda: decode_unrotated(data), by_phone=True, lens=lens_of(data))

    def take_look(self) -> SetupStatus:
        """A picture of the chosen camera. Raises: SourceLost, BadFile, BadInput."""
        if self._draft.source is None:
            raise BadInput("choose a camera first", field="source", value=None)
        image = self.grab(self._draft.source)
        return self._add(SweepPicture(LOOK, to_gray(image)), lambda: image, by_phone=False)

    def take_sheet_picture(self) -> TapPicture:
        """A picture of the chosen camera, to be tapped in. Raises: SourceLost, BadFile, BadInput."""
        return self._sheets.take(self._draft, self.grab)

    def sheet_jpeg(self, version: int) -> bytes:
        """Raises: NoPicture."""
        return self._sheets.jpeg(version)

    def tap_sheets(self, taps: SheetTaps) -> SetupStatus:
        """Lens and pose by two sheets of paper. Raises: BadInput; what was solved before then stays."""
        with self._lock:
            result = self._sheets.solve(taps, self._draft, self.folder)
            self._keep(self._draft.model_copy(update={"result": result}))
        return self.status()

    def take_photograph(self, data: bytes, name: str, *, is_beside: bool = False) -> TapPicture:
        """One photograph of a game, to be marked; or one of the same moment beside those that are. Raises: BadFile,
        BadInput."""
        with self._lock:
            result, is_first = self._draft.result, not self._marked.is_holding
            if is_beside and (result is None or result.by != "marks"):
                raise BadInput(
                    "mark the photograph before first, then add another one", field="another_view", value=True
                )
            picture = self._marked.take(data, name, self._draft)
            if is_beside:
                self.folder.set_aside()
            elif is_first:
                self.folder.forget_further_views()
            self._keep(self._draft.model_copy(update={"result": None}))
            return picture.model_copy(update={"joined": len(self.folder.further_views())})

    def photograph_jpeg(self, version: int) -> bytes:
        """Raises: NoPicture."""
        return self._marked.jpeg(version)

    def photograph_discs(self, version: int) -> tuple[Rim, ...]:
        """Rims of discs in it, the likeliest first. Raises: NoPicture."""
        with self._lock:
            return self._marked.discs(version)

    def mark_photograph(self, marks: PhotographMarks) -> MarkedPose:
        """Lens and pose by what was marked. Raises: BadInput; what was solved before then counts no more."""
        with self._lock:
            self._keep(self._draft.model_copy(update={"result": None}))
            pose, result = self._marked.solve(marks, self._draft, self.folder)
            self._keep(self._draft.model_copy(update={"result": result}))
        return MarkedPose(**{**dict(pose), "status": self.status()})

    def remove(self, name: str) -> SetupStatus:
        """Leave a picture out. Raises: BadInput when there is none of that name."""
        with self._lock:
            kept = tuple(picture for picture in self._draft.pictures if picture.name != name)
            if len(kept) == len(self._draft.pictures):
                raise BadInput(f"there is no picture {name!r}", field="name", value=name)
            self._sharp.pop(name, None)
            self._held.drop(name)
            self._keep(self._draft.model_copy(update={"pictures": kept}))
            self._solve()
        return self.status()

    def _add(self, picture: SweepPicture, image: Callable[[], Image], *, by_phone: bool, lens: str = "") -> SetupStatus:
        with self._lock:
            named = SweepPicture(_free_name(picture.name, self._draft.pictures), picture.gray, picture.focal)
            kept = note_picture(named, self._draft.pictures, by="phone" if by_phone else "camera", lens=lens)
            self._keep(self._draft.model_copy(update={"pictures": (*self._draft.pictures, kept)}))
            if kept.pages:
                self._held.hold(named.name, image())
            if by_phone == (self._draft.eye == "phone"):
                self._remember(named, kept)
            self._solve()
        return self.status()

    def _remember(self, picture: SweepPicture, kept: KeptPicture) -> None:
        """The picture with the most corners, and the newest: on these the result is tried."""
        best = max(self._sharp, key=self._corners, default=None)
        self._sharp = {name: picture for name, picture in self._sharp.items() if name == best}
        if kept.pages:
            self._sharp[picture.name] = picture

    def _corners(self, name: str) -> int:
        picture = next((picture for picture in self._draft.pictures if picture.name == name), None)
        return 0 if picture is None else sum(len(page.seen_px) for page in picture.pages)

    def _solve(self) -> None:
        """Solve what there is; a trouble is said, and what was solved before stays in its files."""
        draft, self._trouble = self._draft, None
        if draft.paper is not None or draft.eye == "photograph":
            return
        useful = sum(bool(picture.pages) for picture in eye_pictures(draft))
        if draft.eye is None or useful < (1 if draft.lens else FEWEST):
            self._keep(draft.model_copy(update={"result": None}))
            return
        try:
            setup = solve_draft(draft)
            self._ring = _ring_of(setup)
            result = self._keep_solution(setup)
        except TablesideError as wrong:
            self._trouble, result = wrong.detail, None
        self._keep(draft.model_copy(update={"result": result}))

    def _keep_solution(self, setup: Setup) -> SetupResult | None:
        """None where no picture is at hand to try the solution on. Raises: TableNotVisible, BadFile."""
        names = sorted(self._sharp.keys() & set(setup.pictures), key=self._corners, reverse=True)
        if not names:
            return None
        doubt = first_doubt(setup, [self._sharp[name] for name in names])
        self.folder.keep(setup.camera, setup.layout, doubt.svg)
        return SetupResult(
            says=doubt.sentence,
            middle_mm=doubt.middle_mm,
            corners_mm=doubt.corners_mm,
            table_mm=setup.layout.table_mm,
            remarks=setup.remarks,
        )

    def _with_other_eye(self, draft: Draft) -> Draft:
        """Pictures of the phone stay; the lens is the one that this camera was saved with."""
        profile = None
        if draft.eye == "camera" and draft.source is not None:
            profile = self.profiles.of_device(device_of(draft.source))
        phones = tuple(picture for picture in draft.pictures if picture.by == "phone")
        lens = draft.lens if draft.eye == "photograph" else None if profile is None else profile.camera
        return draft.model_copy(update={"pictures": phones, "result": None, "lens": lens})

    def _wants(self) -> str:
        draft = self._draft
        if draft.eye is None:
            return "Choose what looks at the table."
        if draft.table_mm is None:
            return "Choose the size of the table."
        if draft.eye == "photograph":
            return "Ready to play." if draft.result is not None else "Choose a photograph, and mark where the table is."
        if draft.paper is not None:
            return _say_sheets(draft)
        useful = [picture for picture in draft.pictures if picture.pages]
        if draft.lens is not None and not useful:
            return (
                _PLAY_OR_LOOK if draft.result is not None else "Lay the pages and take one picture that shows all four."
            )
        if draft.eye != "phone" and not any(picture.by == "camera" for picture in useful):
            return "Take a look with the camera once the pages lie." if useful else _SWEEP_FIRST
        absent = sorted(set(range(PAGES)) - {page.page for picture in useful for page in picture.pages})
        if absent:
            return f"Page {absent[0] + 1} is in no picture yet: take one that shows it beside another page."
        if draft.eye == "phone" and draft.lens is None and len(useful) < _ENOUGH:
            return f"Take {_ENOUGH - len(useful)} more from {self._missing_side()}."
        return "Ready to play." if draft.result is not None else "Take one more picture."

    def _missing_side(self) -> str:
        missing = [place for place, is_seen in zip(_PLACES, self._ring, strict=True) if not is_seen]
        return f"the {missing[0]}" if missing and any(self._ring) else "other sides of the table"

    def _change(self, change: Callable[[Draft], Draft]) -> Draft:
        with self._lock:
            self._keep(change(self._draft))
            return self._draft

    def _keep(self, draft: Draft) -> None:
        self.folder.write(draft)
        self._draft = draft


def _say_sheets(draft: Draft) -> str:
    if draft.eye == "phone":
        return "Blank sheets serve a camera that stays: choose one, or print the pages and take pictures by phone."
    return (
        "Ready to play." if draft.result is not None else "Lay two sheets, let the camera look, and tap four corners."
    )


_PLAY_OR_LOOK = "Have the pages not moved since? Then play. Else take one picture that shows all four."
_SWEEP_FIRST = "Walk around the table with a phone and take pictures, or take looks with the camera."


def _ring_of(setup: Setup) -> tuple[bool, ...]:
    """From which eighths, from the near side on counterclockwise, there are pictures."""
    width, depth = setup.layout.table_mm
    seen = [False] * EIGHTHS
    for pose in setup.poses:
        x, y = pose.centre_mm[0] - width / 2, pose.centre_mm[1] - depth / 2
        turn = (np.arctan2(y, x) + np.pi / 2) / (2 * np.pi) * EIGHTHS
        seen[round(float(turn)) % EIGHTHS] = True
    return tuple(seen)


def _free_name(name: str, pictures: tuple[KeptPicture, ...]) -> str:
    """Looks are numbered from 1; of photographs with one name the second is "NAME 2"."""
    taken = {picture.name for picture in pictures}
    numbered = (f"{name} {number}" for number in count(1 if name == LOOK else 2))
    names = numbered if name == LOOK else chain([name], numbered)
    return next(name for name in names if name not in taken)


def _note(picture: KeptPicture) -> PictureNote:
    return PictureNote(
        name=picture.name, by=picture.by, pages=tuple(page.page + 1 for page in picture.pages), says=picture.says
    )


def note_picture(picture: SweepPicture, before: tuple[KeptPicture, ...], *, by: TakenBy, lens: str = "") -> KeptPicture:
    """Raises: BadInput for pages printed mirrored, and for a picture of another size or lens than those before."""
    same = [picture for picture in before if picture.by == by]
    if same and lens != same[0].lens:
        raise BadInput(
            f"{picture.name} was taken with {lens or 'a lens without a name'}, the pictures before with "
            f"{same[0].lens or 'a lens without a name'}: take all with one phone, one lens and without zooming, or "
            "remove those before",
            field="picture",
            value=picture.name,
        )
    intake = Intake(size=same[0].size if same else (0, 0))
    intake.add(picture.name, picture.gray)
    height, width = picture.gray.shape[:2]
    pages = tuple(
        KeptPage(page=view.page, points_mm=_triples(view.points_mm), seen_px=_pairs(view.seen_px))
        for view in intake.views
    )
    return KeptPicture(
        name=picture.name,
        by=by,
        size=(width, height),
        pages=pages,
        says=_say(intake, picture.name),
        lens=lens,
        focal=picture.focal,
    )


def _say(intake: Intake, name: str) -> str:
    if name in intake.unused:
        return intake.unused[name].capitalize() + "."
    cut = f"; {describe_cut(intake.cut)}" if intake.cut else ""
    return "Shows pages " + ", ".join(str(view.page + 1) for view in intake.views) + f"{cut}."


def _triples(points: Floats) -> tuple[tuple[float, float, float], ...]:
    return tuple((float(x), float(y), float(z)) for x, y, z in points)


def _pairs(points: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)
