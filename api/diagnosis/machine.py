"""Diagnosis of a machine: its ports and programs, a folder that keeps a table, and the self-test."""

import hashlib
import math
import os
import platform
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import numpy as np

from api.camera.protocol import Job
from api.diagnosis.findings import Finding, bad, good, warn
from api.journal.chain import read_chain
from api.journal.file_journal import NAME
from api.live.hub import Hub
from api.server.app import create_app
from api.server.bind import UNREACHED, is_loopback
from api.server.serve import StreamEndingServer, server_config
from api.storage.camera_profiles import Profiles
from api.storage.plugins import TAKEN, load_plugins
from calibration.arrays import Image
from models.base import RoundBase
from models.errors import TablesideError
from models.queries import Distance, Los
from models.state import TableState
from models.timeline import StateLine
from models.verdict import Verdict
from referee import ask
from vision.capture.sources import read_frames
from vision.capture.video_file import has_pyav
from vision.tracking.tracker import Tracker

_ROOT = Path(__file__).parents[2]
_KERNELS = ("referee/line_of_sight", "vision/native")
_WEIGHTS = _ROOT / "vision" / "detection" / "network" / "weights"
_PAGE = _ROOT / "api" / "web" / "dist" / "index.html"
_SHARED = ("numpy", "opencv-python-headless", "onnxruntime", "shapely", "fastapi", "pydantic")
_LEAST_FREE, _FEW_FREE = 200_000_000, 2_000_000_000  # bytes
_TABLE_PX = 1248  # a side of the picture the network sees of a table of four feet
_SLOW_S = 1.0
_OLD_DAYS = 90
_DAY_S = 86_400.0
Grab = Callable[[str], Image]
_FRAMES = 24  # of the recording, in which the table is at rest
_FEWEST, _NEAR_MM, _PATIENCE_S = 10, 0.01, 30.0
_ADVICE = "install Tableside again; when that does not help, send `tableside doctor --bundle`"


def _check_plugins() -> Iterator[Finding]:
    """What other packages add, and what of it is not used; nothing where nobody adds anything."""
    plugins = {group: load_plugins(group) for group in TAKEN}
    named = {group.removeprefix("tableside."): ", ".join(of_group.loaded) for group, of_group in plugins.items()}
    if any(named.values()):
        yield good("plug-ins", "; ".join(f"{group}: {names}" for group, names in named.items() if names))
    for of_group in plugins.values():
        for left_out in of_group.left_out:
            yield warn("plug-ins", f"left out is {left_out}", "mend or remove the package")


def check_program() -> Iterator[Finding]:
    """Versions, the compiled kernels, the page, the weights."""
    yield good("program", f"Tableside {version_of('tableside')} on Python {platform.python_version()}, {_system()}")
    yield good("packages", ", ".join(f"{name} {version_of(name)}" for name in _SHARED))
    if has_pyav():
        yield good("streams", f"network cameras and recordings are read by PyAV {version_of('av')}")
    else:
        says = "network cameras cannot be read, and damage in a recording is not noticed"
        yield warn("streams", says, "pip install 'tableside[streams]', where they are used")
    yield from _check_plugins()
    absent = ", ".join(folder for folder in _KERNELS if not (_ROOT / folder / "kernel.so").is_file())
    yield (
        bad("kernels", f"not compiled: {absent}", "install Tableside again") if absent else good("kernels", "compiled")
    )
    advice = "install the wheel, or run `make demo` in a clone"
    yield good("page", "built") if _PAGE.is_file() else bad("page", "the phone's page has not been built", advice)
    yield good("weights", ", ".join(f"{path.name} {_digest(path)}" for path in sorted(_WEIGHTS.glob("*.onnx"))))


def version_of(name: str) -> str:
    """A package's version; of ours in a clone that was not installed: unknown."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def check_network(lan: str | None, *, host: str = "0.0.0.0") -> Finding:
    """Whether a phone has an address to go to; `lan`: what this machine is called on the local network."""
    if is_loopback(host):
        return bad("network", f"at {host} no other machine reaches the server", "leave out --host, so that phones do")
    if lan is None:
        return bad(
            "network", "this machine is in no network", "join the phones' Wi-Fi, or open a hotspot here, and look again"
        )
    says = f"phones on the same network reach this machine as {lan}; {UNREACHED}"
    return good("network", says)


def check_port(host: str, port: int) -> Finding:
    """Whether a server can listen there."""
    try:
        with socket.create_server((host, port)):
            return good("port", f"{port} is free")
    except OSError as wrong:
        return bad(
            "port",
            f"{port} cannot be had: {wrong.strerror}",
            "end the other server (another `tableside`?), or choose one with --port",
        )


def check_disk(folder: Path) -> Finding:
    """Whether a game can be kept in this folder, which need not exist yet."""
    existing = next(place for place in (folder, *folder.absolute().parents) if place.is_dir())
    if not os.access(existing, os.W_OK):
        return bad("disk", f"{existing} cannot be written to", "choose another folder with --data, or change its owner")
    free = shutil.disk_usage(existing).free
    says = f"{free / 1e9:.1f} GB free where games are kept ({existing})"
    if free < _LEAST_FREE:
        return bad("disk", says, "make room: a game of three hours with evidence takes up to 2 GB")
    if free < _FEW_FREE:
        return warn("disk", says, 'keep fewer pictures: keep_pictures = "200MB"')
    return good("disk", says)


def check_speed(run: Callable[[Image], object], *, clock: Callable[[], float] = time.perf_counter) -> Finding:
    """How long `run`, the network, takes over a picture of a table of four feet."""
    blank = np.full((_TABLE_PX, _TABLE_PX, 3), 90, np.uint8)
    run(blank)
    began = clock()
    run(blank)
    took = clock() - began
    says = f"{os.cpu_count()} cores; the network takes {took:.2f} s over a table"
    if took > _SLOW_S:
        return warn("speed", says, "use a camera of 1080p instead of 4K, and light = true")
    return good("speed", says)


def _system() -> str:
    return f"{platform.system()} {platform.release()} ({platform.machine()})"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def check_cameras(
    devices: tuple[tuple[str, str], ...], grab: Grab, *, keep: Callable[[str, Image], str] | None = None
) -> Iterator[Finding]:
    """Each camera that this computer sees, and whether it gives a picture; `keep` puts one away and says where."""
    if not devices:
        yield warn(
            "cameras",
            "this computer sees no camera on a cable",
            "plug one in, use a phone as a network camera, or take photographs with a phone",
        )
    for source, name in devices:
        try:
            image = grab(source)
        except TablesideError as wrong:
            yield bad(
                f"camera {source}", f"{name}: {wrong.detail}", "close the program that holds it, or plug it in anew"
            )
            continue
        height, width = image.shape[:2]
        where = f", picture in {keep(source, image)}" if keep is not None else ""
        yield good(f"camera {source}", f"{name}: {width} x {height}{where}")


def check_lenses(profiles: Profiles, *, now_s: float | None = None) -> Iterator[Finding]:
    """Lenses that were calibrated, and how long ago."""
    try:
        known = profiles.all()
    except TablesideError as wrong:
        yield bad("lenses", wrong.detail, f"remove the file from {profiles.folder}, and calibrate that camera again")
        return
    if not known:
        yield warn("lenses", "no camera was set up yet", "run `tableside setup`")
    for profile in known:
        age_s = (time.time() if now_s is None else now_s) - (profiles.folder / f"{profile.name}.json").stat().st_mtime
        says = f"{profile.device}, {age_s / _DAY_S:.0f} days old"
        yield (
            warn(f"lens {profile.name}", says, "set it up anew if its focus or zoom was touched")
            if age_s > _OLD_DAYS * _DAY_S
            else good(f"lens {profile.name}", says)
        )


def check_game(folder: Path) -> Finding:
    """Whether the game in this folder is whole; nothing in it is changed, and a running server is not disturbed."""
    path = folder / NAME
    if not path.is_file():
        return good("game", f"nothing is kept in {folder} yet")
    try:
        chain = read_chain(path)
    except OSError as wrong:
        return bad("game", f"{path}: {wrong.strerror}", "change the file's owner, or choose another folder with --data")
    if chain.why is not None:
        return warn(
            "game", f"line {chain.line}: {chain.why}", f"run `tableside verify {folder}`: it says what is missing"
        )
    return good("game", f"{chain.lines} lines, whole")


@dataclass
class _Timer:
    took_s: float = 0.0


@contextmanager
def _timed() -> Iterator[_Timer]:
    timer, began = _Timer(), time.perf_counter()
    yield timer
    timer.took_s = time.perf_counter() - began


def run_selftest(job: Job) -> Iterator[Finding]:
    """State, verdicts and page, each as soon as it is known."""
    with _timed() as timer:
        state = _settled_state(job)
    if state is None or len(state.miniatures) < _FEWEST:
        count = 0 if state is None else len(state.miniatures)
        yield bad("state", f"{count} bases in the recording, {_FEWEST} or more stand there", _ADVICE)
        return
    yield good("state", f"{len(state.miniatures)} bases, {timer.took_s:.1f} s for {_FRAMES} pictures")
    with _timed() as timer:
        verdicts = _ask_all(state)
    yield _judge(state, verdicts, timer.took_s)
    yield _open_page()


def _settled_state(job: Job) -> TableState | None:
    tracker = Tracker(job.camera, job.layout, edition=job.edition, catalogue=job.catalogue())
    state = None
    for frame in islice(read_frames(Path(job.source)), _FRAMES):
        for line in tracker.update(frame).lines:
            state = line.state if isinstance(line, StateLine) else state
    return state


def _ask_all(state: TableState) -> list[tuple[str, str, Verdict, Verdict]]:
    first, *others = (miniature.id for miniature in state.miniatures)
    return [
        (first, other, ask(state, Distance(a=first, b=other)), ask(state, Los(viewer=first, target=other)))
        for other in others
    ]


def _judge(state: TableState, asked: list[tuple[str, str, Verdict, Verdict]], took_s: float) -> Finding:
    """Distances of round bases are held against plain arithmetic, sights must be told with a witness and a source."""
    known = {miniature.id: miniature for miniature in state.miniatures}
    for a, b, distance, sight in asked:
        bases = known[a].base, known[b].base
        if all(isinstance(base, RoundBase) for base in bases):
            radii = sum(base.radius_mm for base in bases if isinstance(base, RoundBase))
            plain = math.dist(known[a].at_mm, known[b].at_mm) - radii
            measured = distance.value.get("distance_mm")
            if not isinstance(measured, float) or abs(measured - max(plain, 0.0)) > _NEAR_MM:
                return bad("verdicts", f"{a} and {b} are {measured} mm apart, by hand {plain:.3f}", _ADVICE)
        if sight.answer is None or not sight.because:
            return bad("verdicts", f"whether {a} sees {b} is not told", _ADVICE)
    return good("verdicts", f"{2 * len(asked)} questions, as by hand; {1000 * took_s / (2 * len(asked)):.0f} ms each")


def _open_page() -> Finding:
    """The table's own server, in this process, on a port of its own."""
    app = create_app(Hub(title="selftest"))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = StreamEndingServer(server_config(app), endings=app.state.endings)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            with urlopen(f"http://127.0.0.1:{listening.getsockname()[1]}/", timeout=_PATIENCE_S) as answer:
                page = answer.read()
        except OSError as wrong:
            return bad("page", f"the server does not answer: {wrong}", _ADVICE)
        finally:
            server.should_exit = True
            thread.join()
    if b'<div id="page">' not in page:
        return bad("page", "the server answers with something else than the page", _ADVICE)
    return good("page", f"served, {len(page)} bytes")
