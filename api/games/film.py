"""Film: a recording decoded, drawn over and encoded again as H.264, its sound kept, whole or not at all."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.container import InputContainer, OutputContainer

from calibration.arrays import Image
from models.camera import Camera
from models.errors import BadFile, BadInput

_OPTIONS = {"preset": "veryfast", "crf": "20"}
_SOUNDS_OF_MP4 = {"aac", "mp3", "ac3", "eac3", "alac", "opus", "flac"}  # the others are encoded anew
_USUAL_FPS = 30
_HALF = 2  # H.264 of this kind has a colour for two rows and columns

Paint = Callable[[Image, float], None]


@dataclass(frozen=True)
class VideoFacts:
    """What a video says of itself."""

    size: tuple[int, int]
    fps: float
    frames: int | None


def look_at_video(path: Path, camera: Camera) -> VideoFacts:
    """Raises: BadFile when no video can be read from it; BadInput when it is not of the camera's size."""
    with _opened(path) as source:
        stream = source.streams.video[0]
        size, rate = (stream.width, stream.height), stream.average_rate
        frames = stream.frames or None
    if size != tuple(camera.image_size):
        says = f"{path.name} is {size[0]}x{size[1]}, and this camera was calibrated at {camera.image_size[0]}x"
        raise BadInput(f"{says}{camera.image_size[1]}", field="video", value=f"{size[0]}x{size[1]}")
    return VideoFacts(size, float(rate) if rate else _USUAL_FPS, frames)


def write_film(video: Path, output: Path, paint: Paint, *, advance: Callable[[], object] = lambda: None) -> int:
    """Write the film and return its number of frames. `paint` draws over a frame, given its second.

    Raises: BadFile when the video cannot be read, or the film not be written; nothing is left of it then.
    """
    try:
        with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}.") as folder:
            part = Path(folder) / "film.mp4"
            with _opened(video) as source, av.open(str(part), "w", options={"movflags": "+faststart"}) as target:
                count = _copy(source, target, paint, advance)
            if count == 0:
                raise BadFile(f"{video}: no frame of this video can be read", field="video", value=str(video))
            part.replace(output)
    except (OSError, av.FFmpegError) as wrong:
        raise BadFile(f"{output}: {wrong.strerror or wrong}", field="output", value=str(output)) from wrong
    return count


@contextmanager
def _opened(path: Path) -> Iterator[InputContainer]:
    try:
        source = av.open(str(path))
    except (OSError, av.FFmpegError) as wrong:
        raise BadFile(f"{path}: no video can be read from this file", field="video", value=str(path)) from wrong
    with source:
        if not source.streams.video:
            raise BadFile(f"{path}: there is no video in this file", field="video", value=str(path))
        yield source


def _copy(source: InputContainer, target: OutputContainer, paint: Paint, advance: Callable[[], object]) -> int:
    seen = source.streams.video[0]
    seen.thread_type = "AUTO"
    film: Any = target.add_stream("libx264", rate=seen.average_rate or _USUAL_FPS, options=_OPTIONS)
    film.width, film.height = seen.width - seen.width % _HALF, seen.height - seen.height % _HALF
    film.pix_fmt, film.codec_context.time_base = "yuv420p", seen.time_base or Fraction(1, 90_000)
    heard = source.streams.audio[0] if source.streams.audio else None
    keep_sound = _sound_keeper(heard, target)
    count, begin = 0, None
    for packet in source.demux([stream for stream in (seen, heard) if stream is not None]):
        if packet.stream is heard:
            keep_sound(packet)
            continue
        for frame in _decode(packet):
            begin = frame.pts if begin is None else begin
            t_s = 0.0 if frame.pts is None else float((frame.pts - (begin or 0)) * (frame.time_base or 0))
            target.mux(film.encode(_painted(frame, t_s, paint, (film.width, film.height))))
            count += 1
            advance()
    keep_sound(None)
    target.mux(film.encode(None))
    return count


def _decode(packet: Any) -> list[Any]:
    """Its frames; none where it is damaged."""
    try:
        return list(packet.decode())
    except av.error.InvalidDataError:
        return []


def _painted(frame: Any, t_s: float, paint: Paint, size: tuple[int, int]) -> Any:
    image: Image = np.ascontiguousarray(frame.to_ndarray(format="bgr24"))
    paint(image, t_s)
    drawn = av.VideoFrame.from_ndarray(np.ascontiguousarray(image[: size[1], : size[0]]), format="bgr24")
    drawn.pts, drawn.time_base = frame.pts, frame.time_base
    return drawn.reformat(format="yuv420p")


def _sound_keeper(heard: Any, target: OutputContainer) -> Callable[[Any], None]:
    """What takes each packet of sound, and None at the end; sound that the film cannot hold is encoded as AAC."""
    if heard is None:
        return lambda _: None
    if heard.codec_context.codec.canonical_name in _SOUNDS_OF_MP4:
        copied = target.add_stream_from_template(heard)

        def copy(packet: Any) -> None:
            if packet is not None and packet.dts is not None:
                packet.stream = copied
                target.mux(packet)

        return copy
    encoded: Any = target.add_stream("aac", rate=heard.codec_context.sample_rate)

    def encode(packet: Any) -> None:
        for frame in () if packet is None else _decode(packet):
            target.mux(encoded.encode(frame))
        if packet is None:
            target.mux(encoded.encode(None))

    return encode
