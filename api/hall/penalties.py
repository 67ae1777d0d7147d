"""Penalties: what a judge gave a player, kept with its history."""

from pydantic import Field

from models.frozen import Frozen


class NewPenalty(Frozen):
    """A penalty from the organiser's list."""

    player: str = Field(min_length=1, max_length=80)
    table: int | None = Field(None, ge=1)
    penalty: str = Field(min_length=1, max_length=60)
    note: str = Field("", max_length=400)


class Penalty(NewPenalty):
    """A penalty that was given; `withdrawn` tells why it holds no more."""

    id: int
    round: int | None
    by: str
    at_s: float
    withdrawn: str | None = None

    def changed(self, **changes: object) -> "Penalty":
        """The same penalty with these changes."""
        return Penalty.model_validate(self.__dict__ | changes)


class PenaltyWithdrawal(Frozen):
    """Why it holds no more."""

    reason: str = Field(min_length=1, max_length=400)
