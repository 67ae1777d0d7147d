"""A referee who remembers: several phones ask the same, and players swap A and B back and forth."""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock

from models.queries import Asked
from models.state import TableState
from models.verdict import Verdict

Ask = Callable[[TableState, Asked], Verdict]
MOST_VERDICTS = 1024  # some forty sheets: the table changes before more of them are asked for again


class Remembering:
    """Asks once about each table and question; who asks meanwhile waits for the same answer."""

    def __init__(self, ask: Ask, *, most: int = MOST_VERDICTS) -> None:
        self._ask = ask
        self._most = most
        self._known: OrderedDict[tuple[str, str], Future[Verdict]] = OrderedDict()
        self._lock = Lock()

    @property
    def kept(self) -> int:
        """How many verdicts are remembered."""
        return len(self._known)

    def __call__(self, state: TableState, query: Asked) -> Verdict:
        key = (state.state_id, query.model_dump_json())
        with self._lock:
            known = self._known.get(key)
            answer = self._known.setdefault(key, Future())
            self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        if known is None:
            self._answer(key, answer, state, query)
        return answer.result()

    def _answer(self, key: tuple[str, str], answer: Future[Verdict], state: TableState, query: Asked) -> None:
        """Fill in the answer; a failure is told to all who wait and is not remembered."""
        try:
            answer.set_result(self._ask(state, query))
        except BaseException as wrong:
            answer.set_exception(wrong)
            with self._lock:
                self._known.pop(key, None)
