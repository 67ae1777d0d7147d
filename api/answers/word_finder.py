"""Word finder: what holds by one player's word alone, now or at an earlier moment."""

from collections import OrderedDict
from threading import Lock

from api.answers.one_word import OneWord
from api.corrections.told_facts import open_facts
from api.evaluation.measuring_policy import free_measuring
from api.live.hub import Hub
from api.live.moments import Moments
from api.live.rest_moments import measured_table
from api.live.table_view import check_drawable

MOST_KEPT = 16


class WordFinder:
    """Finds what nobody had agreed to; what is past does not change, so the newest asked for are kept."""

    def __init__(self, hub: Hub, moments: Moments) -> None:
        self._hub = hub
        self._moments = moments
        self._kept: OrderedDict[int, OneWord | None] = OrderedDict()
        self._lock = Lock()

    def word(self, at: int | None = None) -> OneWord | None:
        """What holds by one player's word alone; None where nothing does. Now is known on the server's loop only.

        Raises: NoTableYet, NoSuchMoment when there is no table of that moment.
        """
        if at is None:
            return self._word_now()
        with self._lock:
            if at not in self._kept:
                self._kept[at] = self._word_at(at)
            self._kept.move_to_end(at)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[at]

    def asked_word(self, at: int | None = None) -> OneWord | None:
        """The same beside the table that somebody asks about, at which everything may be measured once that is open."""
        word = self.word(at)
        if word is None or at is None or not self._hub.is_past_open:
            return word
        return OneWord(word.facts, free_measuring(word.without), free_measuring(word.without_things))

    def _word_now(self) -> OneWord | None:
        hub = self._hub
        if hub.state is None or hub.measured is None or not (facts := hub.undo_log.open_facts(hub.state)):
            return None
        without = hub.undo_log.without_open_facts(hub.measured)
        if without == hub.state:  # such as what was laid and taken away again
            return None
        return OneWord(facts, without, hub.undo_log.without_open_facts(hub.measured, of_the_table_only=True))

    def _word_at(self, at: int) -> OneWord | None:
        state = self._moments.table(at)
        measured = measured_table(self._hub.journal, until=at)
        ledger = self._hub.undo_log.ledger_at(at)
        facts = open_facts(ledger.steps.values(), state)
        if measured is None or not facts:
            return None
        without, without_things = (
            ledger.without_open_facts(of_the_table_only=is_part).lay_over(measured, draw=check_drawable).state
            for is_part in (False, True)
        )
        return None if without == state else OneWord(facts, without, without_things)
