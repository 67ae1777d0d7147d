"""Event log of a table: what happened, in order, never changed afterwards.

An entry is a frozen value with a `type` of its own (`entry.Entry`); a feature that has something to keep declares a
class in its `kept_books.py`. The classes are handed to the journal when it is opened. `Journal.write` gives it a number
and a time. Everything that must survive is told by entries and nothing else: at the start a noun goes through the
lines and is again what it was.

    journal.write(RulingMade(by="judge", ...))         # durable when it returns
    for line in journal.lines():                       # line.n, line.at_s, line.entry
        if isinstance(line.entry, RulingMade): ...

`MemoryJournal` forgets with the process, `FileJournal` keeps a file of JSON lines under `--data`; a
database would be a third class of the same shape.
"""
