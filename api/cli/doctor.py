"""`tableside doctor` and `selftest`: what stands in the way of a table, and whether the installation works."""

import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.hosting_options import AsJson, Data, Host, Port
from api.cli.profiles import Folder
from models.errors import BadFile

if TYPE_CHECKING:
    from api.diagnosis.findings import Finding
    from calibration.arrays import Image

_MARKS = {"good": "ok ", "warning": "!  ", "bad": "BAD"}
_BAD = 3

Pictures = Annotated[Path | None, typer.Option(help="Keep a small picture of what each camera sees in this folder.")]
Bundle = Annotated[
    Path | None,
    typer.Option(help="Write all of this as a zip to send with a question; no names, no addresses, no pictures."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command("doctor")(doctor)
    app.command("selftest")(selftest)


def doctor(
    data: Data = None,
    host: Host = "0.0.0.0",
    port: Port = 8017,
    profiles: Folder = None,
    pictures: Pictures = None,
    bundle: Bundle = None,
    as_json: AsJson = False,
) -> None:
    """Say which cameras, network, port, disk and speed this machine has, and what to do about what is not good."""
    findings = list(_examine(data, host, port, profiles, pictures))
    if bundle is not None:
        _write_bundle(bundle, findings)
    _tell(findings, as_json=as_json)


def selftest(as_json: AsJson = False) -> None:
    """Measure the recording that comes with the program, ask about it, open the page: under a minute."""
    from api.cli.demo import shipped_job
    from api.diagnosis.selftest import run_selftest

    _tell(list(run_selftest(shipped_job(is_looping=False))), as_json=as_json)


def _examine(
    data: Path | None, host: str, port: int, profiles: Path | None, pictures: Path | None
) -> "Iterable[Finding]":
    from api.camera.device_list import list_devices
    from api.camera.grab_image import image_grabber
    from api.diagnosis.machine import check_disk, check_network, check_port, check_program, check_speed
    from api.diagnosis.table import check_cameras, check_game, check_lenses
    from api.server.serve import lan_address
    from api.setup_pictures.draft import tables_folder
    from api.storage.camera_profiles import profiles_in
    from vision.detection.network.inference import shipped_network

    yield from check_program()
    yield check_network(lan_address(), host=host)
    yield check_port(host, port)
    yield check_disk(data or tables_folder())
    yield check_speed(shipped_network().proposals)
    yield from check_cameras(
        list_devices(), lambda source: image_grabber(source)(), keep=None if pictures is None else _keeper(pictures)
    )
    yield from check_lenses(profiles_in(profiles))
    if data is not None:
        yield check_game(data)


def _keeper(folder: Path) -> "Callable[[str, Image], str]":
    from api.setup_pictures.preview import encode_preview
    from api.storage.files import write_whole

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadFile(f"{folder}: {wrong.strerror}", field="pictures", value=str(folder)) from wrong

    def keep(source: str, image: "Image") -> str:
        path = folder / f"camera-{Path(source).name}.jpg"
        write_whole(path, encode_preview(image), is_private=True)
        return str(path)

    return keep


def _write_bundle(path: Path, findings: "list[Finding]") -> None:
    """Findings alone; what names a person, a place or a network stays here. Raises: BadFile."""
    told = [one.model_dump() for one in findings if one.subject not in ("network", "disk", "game")]
    text = re.sub(r"/dev/v4l/by-id/[^\s\"]+", "by-id", json.dumps(told, indent=1, ensure_ascii=False))  # serial numbers
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr("findings.json", text)
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="bundle", value=str(path)) from wrong


def _tell(findings: "list[Finding]", *, as_json: bool) -> None:
    """Exit 3 when something is bad."""
    if as_json:
        typer.echo(json.dumps([one.model_dump() for one in findings], ensure_ascii=False))
    else:
        for one in findings:
            typer.echo(f"{_MARKS[one.grade]} {one.subject}: {one.says}")
            if one.advice:
                typer.echo(f"      {one.advice}")
    if any(one.grade == "bad" for one in findings):
        sys.exit(_BAD)
