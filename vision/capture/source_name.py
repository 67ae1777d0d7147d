"""Source name: what of a source everybody in the room may read, in titles, problems and on the stream."""

from pathlib import Path
from urllib.parse import urlsplit


def public_name(source: str) -> str:
    """The device's number, the file's name, or how and where a stream is: `rtsp://HOST:8554`.

    Names, passwords, tokens and stream keys stand before the host, behind it or in the path; none of these is shown.
    """
    if "://" not in source:
        return source if source.isdigit() else Path(source).name
    try:
        parts = urlsplit(source)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    except ValueError:
        return "a stream"
