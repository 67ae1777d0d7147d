"""What the server wants of the camera's process: flags that both see."""

from dataclasses import dataclass
from typing import Protocol


class Flag(Protocol):
    """`multiprocessing.Event`, or `threading.Event` in tests."""

    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class Wishes:
    """`pictures`: somebody looks at pictures; `register`: find the table anew; `check`: compare with what is known."""

    pictures: Flag
    register: Flag
    check: Flag

    def takes(self, flag: Flag) -> bool:
        """Whether this was wished; it then no longer is."""
        was = flag.is_set()
        if was:
            flag.clear()
        return was
