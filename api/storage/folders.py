"""Folders that keep a table: which fault one has, and what to do about it."""

import errno
from pathlib import Path

from models.errors import BadFile

_ANOTHER = "choose another folder with --data"
_WORDS = {
    errno.EACCES: f"this user may not write there; {_ANOTHER}, or change its owner",
    errno.EPERM: f"this user may not write there; {_ANOTHER}, or change its owner",
    errno.EROFS: f"that disk is read-only; {_ANOTHER}",
    errno.EEXIST: f"that is a file, not a folder; {_ANOTHER}",
    errno.ENOTDIR: f"a part of it is a file, not a folder; {_ANOTHER}",
    errno.ENOENT: f"no folder can be made there; {_ANOTHER}",
    errno.ENOSPC: f"the disk is full; make room, or {_ANOTHER}",
}


def folder_fault(folder: Path, wrong: OSError) -> BadFile:
    """The error that says why this folder cannot keep a table, and what to do."""
    told = _WORDS.get(wrong.errno or 0, f"{wrong.strerror}; {_ANOTHER}")
    return BadFile(f"{folder}: {told}", field="data", value=str(folder))
