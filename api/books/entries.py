"""Journal entries of books: which rulebook written as data a table is played by."""

from typing import Literal

from api.journal.entry import Entry
from models.written_book import BookStamp


class BookOpened(Entry):
    """From now on the table is judged by this book; its file lies beside the journal under its hash."""

    type: Literal["book"] = "book"
    book: BookStamp
