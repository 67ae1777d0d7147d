"""How the bases of drawn armies are made, and how their rims are marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from vision.training.synthetic.mat import any_colour, earthy, near
from vision.training.synthetic.solid import Colour

Random = np.random.Generator

MARKINGS = ("none", "ticks", "ticks+dot", "front-half", "notch")
_SHARES = (0.34, 0.18, 0.18, 0.2, 0.1)
# BGR: what rims are finished in, and what marks on them are painted with
_RIMS: tuple[Colour, ...] = (
    (24, 24, 26), (60, 58, 58), (105, 100, 98), (40, 62, 88), (60, 90, 120), (150, 185, 200), (120, 150, 165),
    (50, 80, 60), (30, 45, 35), (75, 55, 40),
)  # fmt: skip
_PAINTS: tuple[Colour, ...] = (
    (238, 238, 238), (238, 238, 238), (60, 210, 240), (40, 40, 205), (70, 180, 70), (215, 120, 50), (40, 130, 240),
    (190, 80, 180), (200, 200, 60),
)  # fmt: skip
_LEAST_APART = 75.0  # grey levels: what is painted to be seen


@dataclass(frozen=True)
class Paint:
    """The make of a base and its paint. Lengths are mm; `spots` and `flock` are counts on a base of 30 mm."""

    top_mm: float
    inset_mm: float
    lip_mm: float
    rim: Colour
    colour: Colour
    basing: Colour
    marking: str
    is_down_the_side: bool
    tick_mm: float
    tick_long_mm: float
    dot_mm: float
    gloss: float
    spots: float
    flock: float

    def marks(self, reach_mm: float, at_deg: Sequence[float]) -> Iterator[Floats]:
        """Outlines of the marks on a slice that reaches so far, its facing along x. `at_deg`: where they are."""
        if self.marking == "front-half":
            angle = np.radians(np.linspace(at_deg[1], at_deg[0], 60))
            yield reach_mm * np.column_stack([np.cos(angle), np.sin(angle)])
            return
        for place, angle in zip(("tick", "tick", "dot"), np.radians(at_deg), strict=False):
            spoke = np.array([np.cos(angle), np.sin(angle)])
            if place == "dot":
                around = np.linspace(0, 2 * np.pi, 16, endpoint=False)
                middle = spoke * (reach_mm - self.lip_mm / 2)
                yield middle + self.dot_mm * np.column_stack([np.cos(around), np.sin(around)])
                continue
            aside = np.array([-spoke[1], spoke[0]]) * self.tick_mm / 2
            inner, outer = spoke * (reach_mm - self.tick_long_mm), spoke * reach_mm
            narrow = 0.3 if self.marking == "notch" else 1.0
            yield np.array([inner - aside * narrow, outer - aside, outer + aside, inner + aside * narrow])


def draw_paint(random: Random) -> Paint:
    lipped = random.random() < 0.5
    rim = near(_RIMS[random.integers(len(_RIMS))], random, 8) if random.random() < 0.85 else any_colour(random)
    marking = str(random.choice(MARKINGS, p=_SHARES))
    colour = _contrasting_paint(rim, random)
    if marking == "notch" and sum(rim) > 300 and random.random() < 0.5:
        colour = near((16, 16, 16), random, 6)  # cut into the rim, not painted: the shadow in it is seen
    lip_mm = random.uniform(1.6, 2.8) if lipped else random.uniform(0.6, 1.2)
    return Paint(
        top_mm=random.normal(4.2, 0.2) if lipped else random.normal(3.4, 0.2),
        inset_mm=random.uniform(0.1, 0.35) if lipped else random.uniform(0.5, 0.9),
        lip_mm=lip_mm,
        rim=rim,
        colour=colour,
        basing=earthy(random),
        marking=marking,
        is_down_the_side=random.random() < 0.6,
        tick_long_mm=lip_mm + random.uniform(0.0, 1.3),
        tick_mm=random.uniform(1.0, 2.0) if marking != "notch" else random.uniform(1.8, 3.0),
        dot_mm=random.uniform(0.7, 1.2),
        gloss=float(random.choice([0.0, 0.0, 0.6])),
        spots=float(random.choice([0.0, 0.0, 3.0, 9.0])),
        flock=float(random.choice([0.0, 8.0, 30.0, 60.0])),
    )


def _contrasting_paint(rim: Colour, random: Random) -> Colour:
    """A paint that a player would choose for this rim."""
    while True:
        paint = near(_PAINTS[random.integers(len(_PAINTS))], random, 14)
        if float(np.abs(np.subtract(paint, rim)).max()) > _LEAST_APART:
            return paint
