"""Citation: the book of the family that a shared rule is cited from, and how an older book cites it.

The chapters of this package are written in the words and pages of WARMACHINE: Prime, those of `mk1_and_mk2` in the
words and sections of HORDES Mk II. A book that shares a rule translates both into its own: `Edition.cite`.
"""

from collections.abc import Mapping

from models.verdict import Reason, Source

PRIME = "WARMACHINE: Prime Rules Digest (2016)"
HORDES_MK2 = "HORDES Mk II field test"


def cite_from(book: str, reason: Reason, sections: Mapping[str, str], texts: Mapping[str, str]) -> Reason:
    """The same reason in a book: its section by the other book's, its words where they differ.

    What the book has no section for it does not say: that is cited from where it is borrowed.
    """
    section = sections.get(reason.source.section)
    if reason.source.book == book or section is None:
        return reason
    says = texts.get(reason.says, reason.says)
    return Reason(source=Source(book=book, section=section), says=says, effect=reason.effect)
