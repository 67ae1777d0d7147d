"""`tableside doctor` and `selftest`: what stands in the way of a table, and whether the installation works."""

import json
import re
import sys
import zipfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.hosting_options import Data, Host, Port
from api.cli.invocation import FILE_NAME, settings_of, wants_json
from api.cli.table_options import EditionName, LayoutFile, read_edition, sizes_of
from api.diagnosis.findings import Finding
from api.storage.files import load, make_folder
from models.camera import Camera
from models.errors import BadCamera, BadFile, BadInput, BadLayout, SourceLost
from models.layout import Layout
from models.self_check import LengthComparison, SelfCheck

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.survey.known_lengths import Length
    from vision.capture.sources import Frame

_MARKS = {"good": "ok ", "warning": "!  ", "bad": "BAD"}
_BAD_EXIT = 3
_WARM_UP_FRAMES = 15  # until a camera has set its exposure
_RULER_SIGMA_MM = 0.3  # how well a ruler is read

Source = Annotated[str | None, typer.Argument(help="A table to check: a picture, video, device number or stream.")]
CameraFile = Annotated[Path | None, typer.Option("--camera", help="Of SOURCE: CAM.json.")]
CardSide = Annotated[
    float | None, typer.Option(help="Of SOURCE: the printed cards; as the fiducials if absent.", min=1)
]
Distance = Annotated[
    tuple[str, str, float] | None,
    typer.Option(help="Of SOURCE: a length that a ruler shows: two places on cards (20, or 20:top-left) and mm."),
]
Pictures = Annotated[Path | None, typer.Option(help="Keep a small picture of what each camera sees in this folder.")]
Bundle = Annotated[Path | None, typer.Option(help="Write all as a zip to send; no names, no addresses, no pictures.")]


def doctor(
    context: typer.Context,
    source: Source = None,
    camera: CameraFile = None,
    layout: LayoutFile = None,
    edition: EditionName = None,
    card_mm: CardSide = None,
    distance: Distance = None,
    data: Data = None,
    host: Host = "0.0.0.0",
    port: Port = 8017,
    pictures: Pictures = None,
    bundle: Bundle = None,
) -> None:
    """Say which cameras, network, port, disk and speed this machine has, and what to do about what is not good.

    With SOURCE instead: compare what is known of a table with what is measured, printed cards, bases that touch,
    fiducials, light. Lay two printed cards whose ids the layout does not have anywhere on the table, or two bases so
    that they touch.
    """
    if source is not None:
        check = _check_table(source, camera, layout, edition, card_mm, distance)
        typer.echo(check.model_dump_json() if wants_json(context) else "\n".join(_describe_check(check)))
        return
    findings = list(_examine_machine(context, data, host, port, pictures))
    findings += _examine_settings(context, findings)
    if bundle is not None:
        _write_bundle(bundle, findings)
    _print_findings(findings, as_json=wants_json(context))


def selftest(context: typer.Context) -> None:
    """Measure the recording that comes with the program, ask about it, open the page: under a minute."""
    from api.cli.serve import shipped_job
    from api.diagnosis.machine import run_selftest

    _print_findings(list(run_selftest(shipped_job(is_looping=False))), as_json=wants_json(context))


def _examine_settings(context: typer.Context, findings: Iterable[Finding]) -> Iterator[Finding]:
    """What is set, and what this machine would rather have set."""
    from api.cli.settings import write_value
    from api.diagnosis.findings import propose_settings

    given = settings_of(context).model_fields_set
    says = f"set are {', '.join(sorted(given))}" if given else f"no {FILE_NAME} in this folder"
    proposed = {key: value for key, value in propose_settings(findings).items() if key not in given}
    lines = "; ".join(f"{key} = {write_value(value)}" for key, value in proposed.items())
    advice = f"put into {FILE_NAME}, or run `tableside setup`: {lines}" if proposed else ""
    yield Finding(subject="settings", grade="good", says=says, advice=advice)


def _examine_machine(
    context: typer.Context, data: Path | None, host: str, port: int, pictures: Path | None
) -> Iterator[Finding]:
    from api.camera.live_source import image_grabber, list_devices
    from api.diagnosis.machine import (
        check_cameras,
        check_disk,
        check_game,
        check_lenses,
        check_network,
        check_port,
        check_program,
        check_speed,
    )
    from api.server.serve import lan_address
    from api.setup_pictures.draft import tables_folder
    from api.storage.camera_profiles import profiles_in
    from vision.detection.network.inference import shipped_network

    yield from check_program()
    yield check_network(lan_address(), host=host)
    yield check_port(host, port)
    yield check_disk(data or tables_folder())
    yield check_speed(shipped_network().proposals)
    keep = None if pictures is None else _picture_keeper(pictures)
    yield from check_cameras(list_devices(), lambda source: image_grabber(source)(), keep=keep)
    yield from check_lenses(profiles_in(settings_of(context).profiles))
    if data is not None:
        yield check_game(data)


def _picture_keeper(folder: Path) -> "Callable[[str, Image], str]":
    from api.setup_pictures.preview import encode_preview
    from api.storage.files import write_whole

    make_folder(folder, field="pictures")

    def keep(source: str, image: "Image") -> str:
        path = folder / f"camera-{Path(source).name}.jpg"
        write_whole(path, encode_preview(image), is_private=True)
        return str(path)

    return keep


def _write_bundle(path: Path, findings: Iterable[Finding]) -> None:
    """Findings alone; what names a person, a place or a network stays here. Raises: BadFile."""
    private = ("network", "disk", "game", "settings")
    public = [finding.model_dump() for finding in findings if finding.subject not in private]
    text = re.sub(
        r"/dev/v4l/by-id/[^\s\"]+", "by-id", json.dumps(public, indent=1, ensure_ascii=False)
    )  # serial numbers
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr("findings.json", text)
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="bundle", value=str(path)) from wrong


def _print_findings(findings: list[Finding], *, as_json: bool) -> None:
    """Exit 3 when something is bad."""
    if as_json:
        typer.echo(json.dumps([finding.model_dump() for finding in findings], ensure_ascii=False))
    else:
        for finding in findings:
            typer.echo(f"{_MARKS[finding.grade]} {finding.subject}: {finding.says}")
            if finding.advice:
                typer.echo(f"      {finding.advice}")
    if any(finding.grade == "bad" for finding in findings):
        sys.exit(_BAD_EXIT)


def _check_table(
    source: str, camera: Path | None, layout: Path | None, edition: str | None, card_mm: float | None,
    distance: tuple[str, str, float] | None,
) -> SelfCheck:  # fmt: skip
    """Raises: BadInput, BadFile, SourceLost."""
    from vision.self_check import check_picture  # here, so that no other command waits for OpenCV

    for name, path in (("camera", camera), ("layout", layout)):
        if path is None:
            raise BadInput(f"--{name} is missing: SOURCE is measured by it", field=name, value=None)
    assert camera is not None
    assert layout is not None
    return check_picture(
        _grab_frame(source).image,
        camera=load(Camera, camera, error=BadCamera),
        layout=load(Layout, layout, error=BadLayout),
        catalogue=sizes_of(None if edition is None else read_edition(edition), None).narrowed(),
        card_mm=card_mm,
        lengths=() if distance is None else (_parse_length(distance),),
    )


def _grab_frame(source: str) -> "Frame":
    """One frame of the source; a camera's when it has got used to the light. Raises: BadFile, SourceLost."""
    from api.camera.live_source import is_live, live_frames
    from vision.capture.sources import read_frames

    frames = islice(live_frames(source), _WARM_UP_FRAMES) if is_live(source) else islice(read_frames(Path(source)), 1)
    newest = deque(frames, maxlen=1)
    if not newest:
        raise SourceLost(f"{source}: no picture came", field="source", value=source)
    return newest[0]


def _parse_length(given: tuple[str, str, float]) -> "Length":
    """Raises: BadInput."""
    from calibration.survey.known_lengths import Length, parse_point

    a, b, mm = given
    if not mm > 0 or a == b:
        raise BadInput("a length lies between two places and is more than nothing", field="distance", value=[a, b, mm])
    return Length(parse_point(a, field="distance"), parse_point(b, field="distance"), mm, _RULER_SIGMA_MM)


def _describe_check(check: SelfCheck) -> Iterator[str]:
    yield from map(_describe_length, check.compared)
    if check.table_sigma_mm is not None:
        yield f"places are known to {check.table_sigma_mm:.2f} mm at the table's worst corner"
    yield from (f"to mend: {fault}" for fault in check.mend)
    if check.is_fit:
        yield check.says


def _describe_length(length: LengthComparison) -> str:
    mark = "" if length.is_fine else "   <- off"
    return (
        f"{length.what}: known {length.known_mm:.2f}, measured {length.measured_mm:.2f}"
        f" ({length.off_mm:+.2f} +- {length.sigma_mm:.2f}) mm{mark}"
    )
