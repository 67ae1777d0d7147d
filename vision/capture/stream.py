"""Network streams: RTSP, MJPEG and HLS over HTTP, and whatever else FFmpeg opens by a URL."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import av

from models.errors import SourceLost
from vision.capture.decoded_frame import DecodedFrame
from vision.capture.decoder import Decoder, NoVideoStream, open_video
from vision.capture.source_name import public_name

OPEN_S, READ_S = 6.0, 6.0  # for the far end to answer, and to send something more
HLS_READ_S = 30.0  # its pieces come whole, seconds apart
_OPTIONS = {"analyzeduration": "2000000"}  # two seconds of it tell what it is
_RTSP = {"rtsp_transport": "tcp", "allowed_media_types": "video"}  # over UDP packets are lost and nobody says which
_HLS = {"live_start_index": "-2"}
_BEHIND_S = 1.0  # who is later than this begins to count anew
_EARLY_S = 10.0  # no piece is longer: the stream's own clock has jumped


class Stream:
    """Connection to a stream. Raises: SourceLost when nothing answers there."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._clock = clock
        self._is_stopped = threading.Event()
        try:
            self._container = open_video(url, options=_options(url), timeout_s=(OPEN_S, _read_s(url)))
        except (av.FFmpegError, NoVideoStream) as wrong:
            says = f"{public_name(url)}: {_explain_failure(wrong, or_else='nothing answers there')}"
            raise SourceLost(says, field="source", value=public_name(url)) from wrong
        self.is_segmented = self._container.format.name == "hls"

    def frames(self) -> Iterator[DecodedFrame | None]:
        """Each frame as it comes; None for one that came damaged. Raises: SourceLost when it breaks off."""
        try:
            shots = Decoder(self._container, clock=self._clock).frames()
            yield from self._pace(shots) if self._must_be_paced() else shots
        except av.FFmpegError as wrong:
            says = f"{public_name(self._url)}: {_explain_failure(wrong, or_else='it broke off')}"
            raise SourceLost(says, field="source", value=public_name(self._url)) from wrong

    def stop(self) -> None:
        """Closes the stream: a reader that waits for the next frame goes on at once."""
        self._is_stopped.set()

    def close(self) -> None:
        """Close the connection."""
        self._container.close()

    def _must_be_paced(self) -> bool:
        """Whether many frames come at once, to be shown one after the other, as by HTTP all but MJPEG does."""
        return self._url.startswith("http") and self._container.format.name != "mpjpeg"

    def _pace(self, shots: Iterator[DecodedFrame | None]) -> Iterator[DecodedFrame | None]:
        """Frames no faster than they were made, by the stream's own times."""
        begin_s: float | None = None
        for shot in shots:
            if shot is None or shot.t_s is None:
                yield shot
                continue
            now_s = self._clock()
            early_s = 0.0 if begin_s is None else begin_s + shot.t_s - now_s
            if begin_s is None or not -_BEHIND_S < early_s < _EARLY_S:
                begin_s, early_s = now_s - shot.t_s, 0.0
            if self._is_stopped.wait(max(early_s, 0.0)):
                return
            yield replace(shot, came_s=self._clock())


def _is_hls(url: str) -> bool:
    return urlsplit(url).path.endswith((".m3u8", ".m3u"))


def _options(url: str) -> dict[str, str]:
    if url.startswith("rtsp"):
        return _OPTIONS | _RTSP
    return _OPTIONS | _HLS if _is_hls(url) else dict(_OPTIONS)


def _read_s(url: str) -> float:
    return HLS_READ_S if _is_hls(url) else READ_S


def _explain_failure(wrong: Exception, *, or_else: str) -> str:
    match wrong:
        case NoVideoStream():
            return "there is sound or text, and no pictures"
        case av.ExitError() | av.TimeoutError():
            return "it sends nothing"
        case av.HTTPUnauthorizedError() | av.HTTPForbiddenError():
            return "it asks for a name and a password: rtsp://NAME:PASSWORD@HOST/..."
        case av.HTTPNotFoundError():
            return "the host answers, and knows no stream of this name"
        case av.InvalidDataError():
            return "what is sent is no video"
        case av.FFmpegError():
            return f"{or_else} ({wrong.strerror})"
    return str(wrong)
