"""Decoder of videos and streams, by FFmpeg's libraries: whole pictures only.

A decoder paints over what it cannot read, marks nothing, and complains in its log; what is painted over stays in every
picture that builds on it, at rest, as if it stood on the table. So its complaints are read, picture by picture.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping

import av
import av.logging
import numpy as np
from av.container import InputContainer

from calibration.arrays import Image
from vision.capture.decoded_frame import THUMBNAIL_STEP, DecodedFrame

av.logging.set_level(av.logging.ERROR)
av.logging.set_skip_repeated(False)  # the same complaint about another picture counts too
logging.getLogger("libav").setLevel(logging.CRITICAL)  # read here, and not for those who stand at the table

_FROM_THE_START = -1


class Decoder:
    """Decoder of one opened video: its frames, in order."""

    def __init__(self, container: InputContainer, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._container = container
        self._clock = clock
        self._stream = container.streams.video[0]
        self._stream.codec_context.thread_count = 1  # so that a complaint is about the picture in hand, and none lags
        self._came: dict[int, tuple[float, int]] = {}
        self._broken_at: int | None = _FROM_THE_START
        self.packets = 0

    @property
    def fps(self) -> float | None:
        """Frames a second, where the video says so."""
        rate = self._stream.average_rate
        return float(rate) if rate else None

    @property
    def frame_count(self) -> int:
        """How many frames the video says it has; 0 when it does not say."""
        if self._stream.frames or not self._stream.duration or not self._stream.time_base:
            return self._stream.frames
        return round(float(self._stream.duration * self._stream.time_base) * (self.fps or 0.0))

    def frames(self) -> Iterator[DecodedFrame | None]:
        """Each frame; None for one that came damaged, or that builds on one. Raises: av.FFmpegError."""
        for packet in self._container.demux(self._stream):
            came_s = self._clock()
            if packet.size:
                self.packets += 1
            if packet.pts is not None:
                self._came[packet.pts] = (came_s, self.packets)
            frames = self._decode(packet)
            if not frames and self._broken_at == self.packets:
                yield None
            for frame in frames:
                shot = self._make_frame(frame, came_s)
                if self._broken_at != _FROM_THE_START:  # who joins late waits for a picture that builds on none
                    yield shot

    def _decode(self, packet: "av.Packet[av.VideoStream]") -> list[av.VideoFrame]:
        """What comes out for this packet; that it was damaged is noted."""
        frames: list[av.VideoFrame] = []
        with av.logging.Capture() as complaints:
            try:
                frames = [frame for frame in packet.decode() if isinstance(frame, av.VideoFrame)]
                is_damaged = packet.is_corrupt
            except av.FFmpegError:
                is_damaged = True
        if (is_damaged or complaints) and self._broken_at != _FROM_THE_START:
            self._broken_at = self.packets
        return frames

    def _make_frame(self, frame: av.VideoFrame, now_s: float) -> DecodedFrame | None:
        came_s, order = (now_s, self.packets) if frame.pts is None else self._came.pop(frame.pts, (now_s, self.packets))
        if self._broken_at is not None:
            is_fresh = frame.key_frame and order > self._broken_at and not frame.is_corrupt
            if not is_fresh:
                return None
            self._broken_at = None
        for pts in [earlier for earlier in self._came if frame.pts is not None and earlier < frame.pts]:
            del self._came[pts]  # of pictures that never came out
        return DecodedFrame(came_s, frame.time, lambda: to_upright_bgr(frame), lambda: _read_thumbnail(frame))


def to_upright_bgr(frame: av.VideoFrame) -> Image:
    """The frame in BGR, turned as its camera meant it."""
    image = frame.to_ndarray(format="bgr24")
    turns = round(frame.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, turns), np.uint8) if turns else np.asarray(image, np.uint8)


def _read_thumbnail(frame: av.VideoFrame) -> Image:
    """Of the plane that holds the brightness, in every format that videos come in."""
    plane = frame.planes[0]
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)
    return np.array(rows[::THUMBNAIL_STEP, : plane.width : THUMBNAIL_STEP])


def open_video(
    name: str, *, options: Mapping[str, str] | None = None, timeout_s: tuple[float, float] | None = None
) -> InputContainer:
    """Open the video of this name; seconds to open it, and to wait for more of it.

    Raises: av.FFmpegError, or NoVideoStream.
    """
    container = av.open(name, options=dict(options or {}), timeout=timeout_s)
    if not container.streams.video:
        container.close()
        raise NoVideoStream
    return container


class NoVideoStream(Exception):
    """Error: this can be opened, and holds no pictures."""
