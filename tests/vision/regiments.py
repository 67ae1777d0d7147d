"""Drawn blocks of rectangular bases under a camera that looks straight down, as exactly as their edges are tested."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model.projection import project
from calibration.view import View
from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker
from vision.candidates import Candidate
from vision.detection.network.finder import NetworkFinder
from vision.measurement.base_fit import BaseFit
from vision.ranked.block_finder import BlockFinder
from vision.ranked.block_fit import FittedBlock
from vision.ranked.ranked_units import measure_blocks

Colour = tuple[int, int, int]

TABLE_MM = (500.0, 400.0)
_FINER = 4
_PX_PER_MM = 1.3
_EYE = (250.0, 200.0, 1700.0)
_HAZE = 150.0


@dataclass(frozen=True)
class Look:
    """How the bases of a picture are made and painted, on which mat, in which light."""

    top_mm: float = 3.3
    inset_mm: float = 0.4
    lip_mm: float = 0.8
    front_mm: float = 1.8
    mat: Colour = (120, 130, 140)
    rim: Colour = (30, 45, 60)
    basing: Colour = (70, 120, 95)
    paint: Colour = (225, 230, 235)
    shadow_mm: tuple[float, float] = (0.0, 0.0)
    mottled: float = 0.0
    noise: float = 2.0
    blur_px: float = 0.6
    contrast: float = 1.0  # what haze or a smeared lens leaves of it; the camera's noise is as ever
    sculpt: float = 1.0
    bulk: float = 0.0  # of the shorter side: the figure that stands there, besides what is strewn round it
    eye_mm: tuple[float, float, float] = _EYE


@dataclass(frozen=True)
class Stood:
    """A base of the width and depth, facing `facing_deg`; `is_marked`: its front edge is painted."""

    at_mm: tuple[float, float]
    facing_deg: float
    sides_mm: tuple[float, float] = (25.0, 25.0)
    is_marked: bool = False
    rank: int = 0
    file: int = 0
    is_bare: bool = False


@dataclass(frozen=True)
class Tray:
    """A movement tray on which bases stand: a thin plate with a lip around."""

    at_mm: tuple[float, float]
    facing_deg: float
    sides_mm: tuple[float, float]
    colour: Colour
    lip_mm: float = 2.0

    @property
    def plate(self) -> Stood:
        return Stood(self.at_mm, self.facing_deg, self.sides_mm)


def tray_under(stood: Iterable[Stood], colour: Colour, *, slack_mm: float = 0.6) -> Tray:
    """The tray that just holds this unit, whichever way it faces."""
    one, *_ = unit = tuple(stood)
    angle = np.radians(one.facing_deg)
    axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    along = np.array([other.at_mm for other in unit]) @ axes.T
    low, high = along.min(axis=0), along.max(axis=0)
    x, y = (((low + high) / 2) @ axes).tolist()
    lip = 2.0
    depth, width = (high - low + (one.sides_mm[1], one.sides_mm[0]) + 2 * (lip + slack_mm)).tolist()
    return Tray((x, y), one.facing_deg, (width, depth), colour, lip)


def regiment(
    at_mm: tuple[float, float],
    facing_deg: float,
    *,
    ranks: int,
    files: int,
    sides_mm: tuple[float, float] = (25.0, 25.0),
    gap_mm: float = 0.4,
    missing: frozenset[tuple[int, int]] = frozenset(),
    jitter_mm: float = 0.2,
    is_marked: bool = True,
    seed: int = 7,
) -> list[Stood]:
    """A unit whose middle is at `at_mm`; the front rank is marked."""
    random = np.random.default_rng(seed)
    angle = np.radians(facing_deg)
    ahead, left = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    found = []
    for rank in range(ranks):
        for file in range(files):
            off = ahead * ((ranks - 1) / 2 - rank) * (sides_mm[1] + gap_mm)
            off = off + left * ((files - 1) / 2 - file) * (sides_mm[0] + gap_mm)
            x, y = (np.array(at_mm) + off + np.clip(random.normal(0, jitter_mm, 2), -gap_mm / 2, gap_mm / 2)).tolist()
            if (rank, file) not in missing:
                turned = facing_deg + float(random.normal(0, 0.3))
                found.append(Stood((x, y), turned, sides_mm, is_marked and rank == 0, rank, file))
    return found


def camera(look: Look = Look()) -> Camera:
    """Its principal point shifted so that the table lies in the middle of the picture."""
    focal = look.eye_mm[2] * _PX_PER_MM
    width, height = size_px()
    x = width / 2 + (look.eye_mm[0] - TABLE_MM[0] / 2) * _PX_PER_MM
    y = height / 2 - (look.eye_mm[1] - TABLE_MM[1] / 2) * _PX_PER_MM
    return Camera(
        image_size=(width, height), model="brown", K=((focal, 0, x), (0, focal, y), (0, 0, 1)), dist=(0,) * 5,
        covariance=np.zeros((9, 9)).tolist(), rms_px=0.0,
    )  # fmt: skip


def size_px() -> tuple[int, int]:
    return round(TABLE_MM[0] * _PX_PER_MM * 1.1), round(TABLE_MM[1] * _PX_PER_MM * 1.1)


def pose(look: Look = Look()) -> CameraPose:
    rotation = np.diag([1.0, -1.0, -1.0])
    return CameraPose(
        rotation=rotation.tolist(), translation_mm=(-rotation @ np.array(look.eye_mm)).tolist(),
        covariance=np.zeros((6, 6)).tolist(), rms_px=0.0, rms_mm=0.0, markers=(), centre_mm=look.eye_mm,
    )  # fmt: skip


def view(look: Look = Look()) -> View:
    return View(camera(look), pose(look), layout())


def layout() -> Layout:
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))
    markers = Fiducials(dictionary="none", marker_mm=1.0, markers=(Marker(id=0, corners_mm=corners),))
    return Layout(table_mm=TABLE_MM, fiducials=markers)


def photograph(stood: Iterable[Stood], look: Look = Look(), *, seed: int = 3, trays: Iterable[Tray] = ()) -> Image:
    """What the camera sees of these bases on their mat, and of trays under them."""
    return _Drawing(look, np.random.default_rng(seed)).photograph(tuple(stood), tuple(trays))


def overhung(picture: Image, at_mm: tuple[float, float], radius_mm: float) -> Image:
    """The picture with the wings of a large figure there."""
    at_px = project(np.array([[*at_mm, 0.0]]), camera=camera(), pose=pose())[0]
    centre = round(float(at_px[0])), round(float(at_px[1]))
    return np.asarray(cv2.circle(picture.copy(), centre, round(_PX_PER_MM * radius_mm), (90, 60, 150), -1), np.uint8)


def _finer_px(length_mm: float) -> int:
    """Pixels of the finer canvas."""
    return round(length_mm * _PX_PER_MM * _FINER)


@dataclass(frozen=True)
class _Drawing:
    look: Look
    random: np.random.Generator

    def photograph(self, stood: tuple[Stood, ...], trays: tuple[Tray, ...]) -> Image:
        width, height = size_px()
        canvas = self._mat(width * _FINER, height * _FINER)
        self._shade(canvas, stood)
        for tray in trays:
            self._fill(canvas, tray.plate, 0.0, 3.0, tray.colour)
            darker = tuple(round(0.75 * level) for level in tray.colour)
            self._fill(canvas, tray.plate, tray.lip_mm, 1.0, (darker[0], darker[1], darker[2]))
        for one in stood:
            self._draw(canvas, one)
        small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
        blurred = cv2.GaussianBlur(small, (0, 0), self.look.blur_px).astype(np.float64)
        hazy = _HAZE + self.look.contrast * (blurred - _HAZE)
        return np.clip(hazy + self.random.normal(0, self.look.noise, blurred.shape), 0, 255).astype(np.uint8)

    def _mat(self, width: int, height: int) -> Image:
        canvas = np.full((height, width, 3), self.look.mat, np.float32)
        if self.look.mottled:
            for cell_mm in (3.0, 12.0):
                cells = [round(side / _FINER / _PX_PER_MM / cell_mm) for side in (height, width)]
                patches = self.random.normal(0, self.look.mottled, (*cells, 1)).astype(np.float32)
                canvas += cv2.resize(patches, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
        return np.asarray(np.clip(canvas, 0, 255), np.uint8)

    def _shade(self, canvas: Image, stood: tuple[Stood, ...]) -> None:
        """The shadow of each rim on the mat."""
        if self.look.shadow_mm == (0.0, 0.0):
            return
        mask = np.zeros(canvas.shape[:2], np.uint8)
        for one in stood:
            for share in np.linspace(0, 1, 5):
                off = (one.at_mm[0] + share * self.look.shadow_mm[0], one.at_mm[1] + share * self.look.shadow_mm[1])
                self._fill(mask, replace(one, at_mm=off), 0.0, 0.0, (255, 0, 0))
        soft = cv2.GaussianBlur(mask, (0, 0), 0.5 * _FINER).astype(np.float32)[..., None] / 255
        canvas[:] = (canvas * (1 - 0.55 * soft)).astype(np.uint8)

    def _draw(self, canvas: Image, one: Stood) -> None:
        look = self.look
        for z in np.linspace(0, look.top_mm, 5):
            self._fill(canvas, one, look.inset_mm * z / look.top_mm, float(z), look.rim)
        front = look.front_mm if one.is_marked else 0.0
        if one.is_marked:
            self._fill(canvas, one, look.inset_mm, look.top_mm, look.paint, only_front_mm=front)
        self._fill(canvas, one, look.inset_mm + look.lip_mm, look.top_mm, look.basing, front_mm=front)
        for _ in range(0 if one.is_bare else 5):
            spot = np.array(one.at_mm) + self.random.normal(0, look.sculpt * min(one.sides_mm) / 8, 2)
            at = self._seen(np.array([[*spot, 12.0]]))[0]
            radius = round(look.sculpt * self.random.uniform(1.2, 2.4) * _PX_PER_MM * _FINER)
            colour = self.random.integers(0, 255, 3).tolist()
            cv2.circle(canvas, np.rint(at).astype(int).tolist(), radius, colour, -1, cv2.LINE_AA)
        if look.bulk and not one.is_bare:
            self._stand(canvas, one)

    def _stand(self, canvas: Image, one: Stood) -> None:
        """A figure as tall as a miniature, of a few parts, each nearer to the eye and leaning a little."""
        side, colour = min(one.sides_mm), self.random.integers(20, 220, 3)
        spot = np.array(one.at_mm) + self.random.normal(0, 0.06 * side, 2)
        for z in np.linspace(4.0, self.random.uniform(18, 32), 5):
            spot = spot + self.random.normal(0, 0.02 * side, 2)
            at, radius = self._seen(np.array([[*spot, z]]))[0], _finer_px(self.look.bulk * side)
            long = (radius, round(radius * self.random.uniform(0.5, 0.9)))
            shade = np.clip(colour * self.random.uniform(0.8, 1.2), 0, 255).astype(int).tolist()
            turn = float(self.random.uniform(0, 180))
            cv2.ellipse(canvas, np.rint(at).astype(int).tolist(), long, turn, 0, 360, shade, -1, cv2.LINE_AA)

    def _seen(self, points_mm: Floats) -> Floats:
        """Pixels of the canvas."""
        at = project(points_mm, camera=camera(self.look), pose=pose(self.look))
        return np.asarray((at + 0.5) * _FINER - 0.5)

    def _fill(
        self, canvas: Image, one: Stood, inset_mm: float, z_mm: float, colour: Colour, *, only_front_mm: float = 0.0,
        front_mm: float = 0.0,
    ) -> None:  # fmt: skip
        angle = np.radians(one.facing_deg)
        half = np.array([one.sides_mm[1], one.sides_mm[0]]) / 2 - inset_mm
        low, high = -half, half.copy()
        if only_front_mm:
            low = np.array([half[0] - only_front_mm, -half[1]])
        if front_mm:
            high = np.array([one.sides_mm[1] / 2 - self.look.inset_mm - front_mm, half[1]])
        corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        turned = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + one.at_mm
        points = np.rint(self._seen(np.column_stack([turned, np.full(4, z_mm)])) * 16).astype(np.int32)
        cv2.fillPoly(canvas, [points], colour, cv2.LINE_AA, shift=4)


def blocks_in(
    picture: Image, catalogue: Catalogue, *, proposed: Sequence[Candidate] = (), others: Sequence[BaseFit] = ()
) -> tuple[FittedBlock, ...]:
    """Every block of the picture that is one of bases, measured; where nothing is proposed, the networks are asked."""
    seen = proposed or NetworkFinder(catalogue, layout()).find(picture, camera=camera(), pose=pose())
    return measure_blocks(picture, BlockFinder(catalogue, layout()).find(seen), others=others, view=view())
