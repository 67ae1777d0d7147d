"""Perturbation: a small displacement of one thing, as an error of measuring makes it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Perturbation:
    """A small displacement of one thing: a shift along the table, a turn and a lift."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_rad: float = 0.0
    lift_mm: float = 0.0

    def add(self, other: "Perturbation", times: float) -> "Perturbation":
        """This one and so many times the other."""
        return Perturbation(
            self.dx_mm + times * other.dx_mm,
            self.dy_mm + times * other.dy_mm,
            self.turn_rad + times * other.turn_rad,
            self.lift_mm + times * other.lift_mm,
        )


NO_PERTURBATION = Perturbation()
