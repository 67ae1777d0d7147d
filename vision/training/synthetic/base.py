"""A base as a solid: lipped or slotted side, painted rim with its marks, basing and flock."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from vision.training.synthetic.mat import any_colour, earthy, grey, near
from vision.training.synthetic.solid import Colour, Footprint, Slice, ring

Random = np.random.Generator
MARKINGS = ("none", "none", "ticks", "ticks+dot", "front-half", "front-half", "notch")


@dataclass(frozen=True)
class Look:
    """How the bases of one army are made and painted."""

    top_mm: float
    inset_mm: float
    lip_mm: float
    rim: Colour
    front: Colour
    basing: Colour
    flock: float  # tufts per square centimetre
    marking: str


def any_look(random: Random) -> Look:
    lipped = random.random() < 0.5
    dark = random.random() < 0.55
    return Look(
        top_mm=random.uniform(3.4, 4.6) if lipped else random.uniform(2.6, 3.8),
        inset_mm=random.uniform(0.0, 0.5) if lipped else random.uniform(0.4, 1.4),
        lip_mm=random.uniform(1.3, 3.2) if lipped else random.uniform(0.3, 1.4),
        rim=grey(random, 14, 60) if dark else any_colour(random),
        front=any_colour(random, least_value=120),
        basing=earthy(random),
        flock=random.choice([0.0, 4.0, 12.0, 30.0]) * random.random(),
        marking=str(random.choice(MARKINGS)),
    )


def slices(
    shape: Footprint, look: Look, *, at: tuple[float, float], ground_mm: float, turn_rad: float, random: Random
) -> Iterator[Slice]:
    """The base standing at `at`, facing `turn_rad`."""
    side = near(look.rim, random, 5)
    for k in range(5):
        inset = look.inset_mm * k / 4
        outline = shape.outline(inset, turn_rad=turn_rad)
        z = ground_mm + look.top_mm * k / 4
        yield Slice(z, outline + at, side)
        yield from _front(shape, look, outline, z + 0.01, at, turn_rad)
    yield from _marks(shape, look, ground_mm + look.top_mm + 0.02, at, turn_rad)
    inner = shape.outline(look.inset_mm + look.lip_mm, turn_rad=turn_rad)
    basing_mm = ground_mm + look.top_mm + 0.03
    yield Slice(basing_mm, inner + at, near(look.basing, random, 10))
    yield from _flock(shape, look, inner, basing_mm, at, random)


def _front(
    shape: Footprint, look: Look, outline: Floats, z_mm: float, at: tuple[float, float], turn_rad: float
) -> Iterator[Slice]:
    """The painted front half of the rim, or a rectangle's painted front edge."""
    ahead = outline @ (np.cos(turn_rad), np.sin(turn_rad))
    if look.marking == "front-half" and shape.kind != "rect":
        yield Slice(z_mm, outline[ahead > -1e-6] + at, look.front)
    if look.marking != "none" and shape.kind == "rect":
        strip = outline.copy()
        back = ahead < 0
        strip[back] += (ahead.max() - ahead[back] - 1.6)[:, None] * (np.cos(turn_rad), np.sin(turn_rad))
        yield Slice(z_mm, strip + at, look.front)


def _marks(shape: Footprint, look: Look, z_mm: float, at: tuple[float, float], turn_rad: float) -> Iterator[Slice]:
    """Ticks at the ends of the front arc, a dot or a notch at the front."""
    if shape.kind == "rect":
        return
    angles = {"ticks": (90, -90), "ticks+dot": (90, -90, 0), "notch": (0,)}.get(look.marking, ())
    edge = np.array([shape.depth_mm, shape.width_mm]) / 2 - look.inset_mm
    for angle in np.radians(angles):
        place = Footprint("oval", 2 * edge[1], 2 * edge[0]).outline(0, turn_rad=0)
        nearest = place[np.argmax(place @ (np.cos(angle), np.sin(angle)))] * (1 - look.lip_mm / 2 / edge.min())
        cos, sin = np.cos(turn_rad), np.sin(turn_rad)
        spot = (nearest[0] * cos - nearest[1] * sin + at[0], nearest[0] * sin + nearest[1] * cos + at[1])
        yield Slice(z_mm + 0.02, ring(max(0.8, look.lip_mm / 2), 8) + spot, look.front)


def _flock(
    shape: Footprint, look: Look, inner: Floats, z_mm: float, at: tuple[float, float], random: Random
) -> Iterator[Slice]:
    count = int(look.flock * shape.width_mm * shape.depth_mm / 100)
    tuft = near(earthy(random), random, 10)
    for _ in range(min(count, 150)):
        corner = int(random.integers(len(inner)))
        edge = inner[corner] + random.random() * (inner[corner - 1] - inner[corner])
        spot = np.sqrt(random.random()) * edge
        height, size = random.uniform(0.1, 2.2), random.uniform(0.3, 1.6)
        yield Slice(z_mm + height, ring(size, 6) + spot + at, near(tuft, random, 18))
