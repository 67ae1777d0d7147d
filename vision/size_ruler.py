"""Size ruler: by which factor all sizes that persons gave differ from what the picture shows, where they agree on one.

Bases and discs are sold in few sizes, so a given size is a ruler. Each is measured in its size times every factor; the
factor that explains all of them, and one that leaves them as they are, are weighed by the product of their chances. A
table whose size was given wrong makes all of them wrong alike.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibration.arrays import Image
from calibration.view import View
from models.base import Base, OvalBase, RectBase, RoundBase
from models.hint import Hint
from vision.hinted_bases import place_hints
from vision.prompted_fit import Prompt, measure_prompt

_FACTORS = (0.8, 0.84, 0.88, 0.92, 0.96, 1.0, 1.04, 1.08, 1.12, 1.16, 1.2, 1.25)
_LEAST_CHANCE = 0.02  # of one base at a factor: any of them may be told or measured wrong
_FEWEST, _MOST = 2, 12  # bases that are asked
_SURE_LOG_ODDS = math.log(100.0)
_USUAL = 0.05  # a factor so near one is a maker's, or a rim's
_TABLES_IN = ((22, 30), (22, 44), (24, 24), (36, 36), (30, 44), (44, 60), (44, 90), (48, 48), (48, 72), (48, 96))
_SAME_TABLE = 0.035
_INCH_MM = 25.4


@dataclass(frozen=True)
class SizeRuler:
    """All `count` sizes fit the picture so many times as large as they were given."""

    factor: float
    count: int

    def sentence(self, table_mm: tuple[float, float]) -> str:
        """What is wrong, with the table's size on sale that would put it right."""
        width, depth = (side / self.factor for side in table_mm)
        taken, right = (f"{w:.0f} x {d:.0f} mm" for w, d in (table_mm, (width, depth)))
        known = next((sides for sides in _TABLES_IN if _is_about((width, depth), sides)), None)
        named = "" if known is None else f", which is sold as {max(known)} x {min(known)} inches"
        return (
            f"all {self.count} sizes that were given fit the picture {self.factor:.2f} times as large: "
            f"the table would not be {taken} but {right}{named}"
        )


def doubt_sizes(image: Image, hints: Sequence[Hint], *, view: View) -> tuple[str, ...]:
    """What the sizes that hints give say of the table's own, in a sentence; nothing where they fit."""
    single = [hint for hint in hints if hint.regiment is None]
    given = [
        (prompt, hint.base)
        for prompt, hint in zip(place_hints(hints, view=view), single, strict=True)
        if hint.base is not None
    ]
    ruler = measure_sizes(image, given, view=view)
    return () if ruler is None else (ruler.sentence(view.table_mm),)


def measure_sizes(image: Image, given: Sequence[tuple[Prompt, Base]], *, view: View) -> SizeRuler | None:
    """The factor that all given sizes share; None where they fit as they are, disagree, or are too few."""
    given = given[:_MOST]
    if len(given) < _FEWEST:
        return None
    totals = dict.fromkeys(_FACTORS, 0.0)
    for prompt, base in given:
        chances = _chances(image, prompt, base, view)
        for factor in _FACTORS:
            totals[factor] += math.log(max(_LEAST_CHANCE, chances.get(factor, 0.0)))
    best = max(totals, key=lambda factor: totals[factor])
    as_given = max(total for factor, total in totals.items() if abs(factor - 1) < _USUAL)
    if abs(best - 1) < _USUAL or totals[best] - as_given < _SURE_LOG_ODDS:
        return None
    return SizeRuler(best, len(given))


def _chances(image: Image, prompt: Prompt, base: Base, view: View) -> Mapping[float, float]:
    """How likely the base there is so many times as large as was given."""
    scaled = {_scaled(base, factor): factor for factor in _FACTORS}
    sizes = measure_prompt(image, prompt, scaled, log_priors={}, view=view)
    return {scaled[sized.fit.base]: sized.probability for sized in sizes}


def _scaled(base: Base, factor: float) -> Base:
    if isinstance(base, RoundBase):
        return RoundBase(diameter_mm=base.diameter_mm * factor)
    sides = {"width_mm": base.width_mm * factor, "depth_mm": base.depth_mm * factor}
    return OvalBase(**sides) if isinstance(base, OvalBase) else RectBase(**sides)


def _is_about(table_mm: tuple[float, float], sides_in: tuple[int, int]) -> bool:
    """Whether a table is of this size, whichever way round."""
    return all(
        abs(side_mm / (side_in * _INCH_MM) - 1) < _SAME_TABLE
        for side_mm, side_in in zip(sorted(table_mm), sorted(sides_in), strict=True)
    )
