"""Warhammer 9th edition 1.61: its rules are not written yet; every question is refused with that reason."""

from referee.edition import Edition

EDITION = Edition(
    id="warhammer-9",
    book="Warhammer 9th edition 1.61",
    too_close="Agree, or roll a die: on 4 or more the answer is yes.",
)
