"""HORDES Mk II field test: its rules are not written yet; every question is refused with that reason."""

from referee.edition import Edition

EDITION = Edition(
    id="hordes-mk2",
    book="HORDES Mk II field test",
    too_close="Agree, or let a die decide.",
)
