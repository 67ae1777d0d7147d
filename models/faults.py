"""Faults: what a validator refuses, with the field and the value it is about."""

from typing import Any


class FieldFault(ValueError):
    """A value that does not go with the others; `field` is its path from where the validator stands."""

    def __init__(self, says: str, *, field: str, value: Any) -> None:
        super().__init__(says)
        self.field = field
        self.value = value
