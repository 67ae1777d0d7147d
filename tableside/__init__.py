"""Tableside for programs: a table from a photograph or a state, questions to it, and its picture.

    >>> from tableside import Table
    >>> base, size = {"shape": "round", "diameter_mm": 30}, {"width_mm": 1219, "depth_mm": 1219}
    >>> pair = [{"id": "a", "base": base, "at_mm": [300, 300]}, {"id": "b", "base": base, "at_mm": [430, 300]}]
    >>> table = Table.from_state({"version": 1, "edition": "warmachine-prime", "table": size, "miniatures": pair})
    >>> table.ask("within", "a", "b", range_in=4).answer.value
    'yes'

Nothing is loaded before it is asked for: a photograph brings OpenCV and the detector, a question its rulebook.
"""

from tableside.table import Picture, Table, watch

__all__ = ["Picture", "Table", "watch"]
