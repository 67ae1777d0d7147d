"""Frozen base class: the root of every value that crosses a border of the house."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value that never changes, knows no extra fields and holds no NaN.

    A NaN margin compares false with everything and would read as NO, so the type refuses it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
