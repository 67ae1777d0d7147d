"""Source offer: the program that runs here as an archive, and the licences of all that is in it.

Who plays at a table over the network may have its source (AGPL, section 13), changed or not: what is offered is made of
the very files that run.
"""

import html
import io
import tarfile
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import Response

from api.http.security_headers import BUILT, content_policy

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "calibration", "models", "referee", "vision")
_BESIDE = ("LICENSE", "README.md", "pyproject.toml", "requirements.lock", "hatch_build.py", "Makefile")
_LEFT_OUT = {"node_modules", "__pycache__", "dist", ".venv"}
_BUILT_FILES = {".pyc", ".so", ".pyd"}
_NO_NOTICES = "The page has not been built; its notices come with it."

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tableside: source and licences</title>
<style>
  :root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
  body {{ margin: 0 auto; max-width: 50rem; padding: 1rem; }}
  pre {{ white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85rem; }}
</style>
<main>
<h1>Source and licences</h1>
<p>Tableside {version} is free software under the GNU Affero General Public License, version 3 or later. There is no
warranty. You may have the source of what runs here: <a href="/source.tar.gz">source.tar.gz</a>.</p>
<h2>What the pages are made with</h2>
<pre>{notices}</pre>
<h2>GNU Affero General Public License</h2>
<pre>{licence}</pre>
</main>
</html>
"""


def add_source_offer(app: FastAPI) -> None:
    """Serve `/licences` and `/source.tar.gz`, to everybody."""

    @app.get("/licences", include_in_schema=False)
    def licences() -> Response:
        page = licence_page()
        headers = {"Content-Security-Policy": content_policy(page), "Cache-Control": "no-cache"}
        return Response(page, media_type="text/html; charset=utf-8", headers=headers)

    @app.get("/source.tar.gz", include_in_schema=False)
    def source() -> Response:
        headers = {"Content-Disposition": 'attachment; filename="tableside-source.tar.gz"'}
        return Response(source_archive(), media_type="application/gzip", headers=headers)


def licence_page(built: Path = BUILT) -> str:
    notices = built / "licences.txt"
    return _PAGE.format(
        version=html.escape(_version()),
        notices=html.escape(notices.read_text(encoding="utf-8") if notices.is_file() else _NO_NOTICES),
        licence=html.escape(_licence()),
    )


@cache
def source_archive(root: Path = ROOT) -> bytes:
    """The files that run here, with what their build needs; the same bytes for the same files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for path in _source_files(root):
            archive.add(path, f"tableside/{path.relative_to(root).as_posix()}", filter=_anonymous)
        if not (root / "LICENSE").is_file():
            _add_text(archive, "tableside/LICENSE", _licence())
    return out.getvalue()


def _source_files(root: Path) -> list[Path]:
    files = [root / name for name in _BESIDE if (root / name).is_file()]
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            parts = set(path.relative_to(root).parts)
            if path.is_file() and not parts & _LEFT_OUT and path.suffix not in _BUILT_FILES:
                files.append(path)
    return files


def _anonymous(part: tarfile.TarInfo) -> tarfile.TarInfo:
    part.uid = part.gid = 0
    part.uname = part.gname = ""
    part.mtime = 0
    return part


def _add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    part = tarfile.TarInfo(name)
    data = text.encode()
    part.size = len(data)
    archive.addfile(part, io.BytesIO(data))


def _licence() -> str:
    """The text of the licence: beside the packages in a clone, in the installed distribution else."""
    file = ROOT / "LICENSE"
    if file.is_file():
        return file.read_text(encoding="utf-8")
    try:
        return distribution("tableside").read_text("licenses/LICENSE") or ""
    except PackageNotFoundError:
        return ""


def _version() -> str:
    try:
        return distribution("tableside").version
    except PackageNotFoundError:
        return "from a clone"
