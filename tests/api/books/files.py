"""Small books for tests: a file's text, and what is read from it."""

from api.books.book_file import ReadBook, parse_book

HEAD = 'name = "Steel"\nversion = "1.0"\n'
PAIR = """
[tables.plain]
table = { width_mm = 900, depth_mm = 900 }
miniatures = [
  { id = "a", base = { shape = "round", diameter_mm = 30 }, at_mm = [300, 300], facing_deg = 0 },
  { id = "b", base = { shape = "round", diameter_mm = 30 }, at_mm = [400, 300], facing_deg = 180 },
]
"""


def read(text: str, *, head: str = HEAD) -> ReadBook:
    """The book of this text."""
    return parse_book((head + text).encode(), name="steel.toml")
