"""Join codes: six characters that can be read aloud in a loud hall and typed with one thumb."""

import secrets

LENGTH = 6
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # no 0 and O, 1, I and L, no U that is heard as V: 30 ** 6 codes


def new_code() -> str:
    """A random code of `LENGTH` letters."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def normalise_code(typed: str) -> str:
    """The code that was meant, whatever its case, blanks and dashes."""
    return "".join(typed.upper().split()).replace("-", "")
