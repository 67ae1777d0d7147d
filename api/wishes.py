"""What the server wants of the camera's process: flags that both see, and answers."""

import queue
import threading
from dataclasses import dataclass, field
from typing import Any, Protocol


class Flag(Protocol):
    """`multiprocessing.Event`, or `threading.Event` in tests."""

    def set(self) -> None: ...
    def clear(self) -> None: ...
    def is_set(self) -> bool: ...


class Letters(Protocol):
    """`multiprocessing.SimpleQueue`, or `queue.SimpleQueue` within one process."""

    def put(self, letter: Any, /) -> None: ...
    def get(self) -> Any: ...
    def empty(self) -> bool: ...


@dataclass(frozen=True)
class Wishes:
    """`pictures`: somebody looks at pictures; `register`: find the table anew; `check`: compare with what is known.

    `edged`: a picture as the camera takes it, once, black beyond the table's edge; `whole`: the same, room and all.
    `poses`: where the camera hangs, as somebody tapped it.
    `answers`: pairs of a question and the ids that somebody says are right. `expected`: how many bases of each size.
    """

    pictures: Flag
    register: Flag
    check: Flag
    answers: Letters = field(default_factory=queue.SimpleQueue)
    expected: Letters = field(default_factory=queue.SimpleQueue)
    whole: Flag = field(default_factory=threading.Event)
    edged: Flag = field(default_factory=threading.Event)
    poses: Letters = field(default_factory=queue.SimpleQueue)

    def takes(self, flag: Flag) -> bool:
        """Whether this was wished; it then no longer is."""
        was = flag.is_set()
        if was:
            flag.clear()
        return was
