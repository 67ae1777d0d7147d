"""A release: `version` gathers the changelog (`make version`), `build` makes what is given away (`make release`)."""

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import venv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from textwrap import fill
from typing import Any

from scripts.licences import page_parts

ROOT = Path(__file__).parents[1]
KINDS = ("Added", "Changed", "Fixed")
_BUILT = ROOT / "dist"
_VERSION = re.compile(r'^version = "(.+)"$', re.MULTILINE)
_PAGE_VERSION = re.compile(r'^(  "version": )"[^"]+"', re.MULTILINE)
_LOCK_VERSION = re.compile(r'("name": "tableside-phone",\n +"version": )"[^"]+"')
_WIDTH = 132
# Wheels by platform, and the target for which the compiler of `ziglang` builds their kernels from any machine.
TARGETS = {
    "manylinux_2_17_x86_64.manylinux2014_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64.manylinux2014_aarch64": "aarch64-linux-gnu.2.17",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
    "musllinux_1_2_aarch64": "aarch64-linux-musl",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "win_amd64": "x86_64-windows-gnu",
}


class NotReady(Exception):
    """A release lacks something; the message says what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the two steps; 1 and a sentence when something is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("version", help="raise the version and gather changelog.d").add_argument("version")
    steps.add_parser("build", help="check, build sdist, wheels and bill of materials, and sum them")
    asked = parser.parse_args(arguments)
    try:
        raise_version(ROOT, asked.version, date.today()) if asked.step == "version" else build(ROOT)
    except NotReady as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


def raise_version(root: Path, version: str, day: date) -> None:
    """Write the version, which pyproject.toml gives, and a section of the changelog. Raises: NotReady."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        raise NotReady(f"{version!r} is no version, as 1.0.0 or 1.0.0rc1")
    fragments = [path for path in sorted((root / "changelog.d").glob("*.md")) if path.name != "README.md"]
    if not fragments:
        raise NotReady("changelog.d is empty: nothing to release")
    section = changelog_section(version, day, (path.read_text(encoding="utf-8") for path in fragments))
    _replace(root / "CHANGELOG.md", re.compile(r"^(?=## \[)", re.MULTILINE), lambda _: f"{section}\n")
    _replace(root / "pyproject.toml", _VERSION, lambda _: f'version = "{version}"')
    _replace(root / "api/web/package.json", _PAGE_VERSION, lambda found: f'{found[1]}"{version}"')
    _replace(root / "api/web/package-lock.json", _LOCK_VERSION, lambda found: f'{found[1]}"{version}"', every=True)
    for path in fragments:
        path.unlink()


def changelog_section(version: str, day: date, fragments: Iterable[str]) -> str:
    """A release's section: what was added, changed, fixed, a line each."""
    lines: dict[str, list[str]] = defaultdict(list)
    for text in fragments:
        for kind, says in _entries(text):
            lines[kind].append(fill(says, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False))
    parts = [f"### {kind}\n\n" + "\n".join(lines[kind]) + "\n" for kind in KINDS if lines[kind]]
    return f"## [{version}] - {day.isoformat()}\n\n" + "\n".join(parts)


def build(root: Path) -> None:
    """Fill dist/ with sdist, wheels, bill of materials and sums. Raises: NotReady."""
    version = check_ready(root)
    if _BUILT.exists():
        for path in _BUILT.iterdir():
            path.unlink()
    _run([sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(_BUILT), str(root)])
    for platform, target in TARGETS.items():
        build_wheel(root, _BUILT, platform=platform, target=target)
    write_materials(root, _BUILT, version)
    write_sums(_BUILT)
    print(*(f"dist/{path.name}" for path in sorted(_BUILT.iterdir())), sep="\n")


def build_wheel(root: Path, folder: Path, *, platform: str, target: str) -> None:
    """One wheel for every Python on this platform. Raises: NotReady."""
    chosen = {"TABLESIDE_PLATFORM": platform, "CC": f"{shlex.quote(sys.executable)} -m ziglang cc -target {target}"}
    _run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(root)], chosen)


def check_ready(root: Path) -> str:
    """The version that is to be released. Raises: NotReady."""
    if _run(["git", "-C", str(root), "status", "--porcelain"]):
        raise NotReady("the working tree has changes that are not committed")
    if [path.name for path in (root / "changelog.d").glob("*.md")] != ["README.md"]:
        raise NotReady("changelog.d holds changes: `make version VERSION=X.Y.Z` gathers them, then commit")
    if not (root / "api/web/dist/index.html").is_file():
        raise NotReady("the page has not been built")
    return versions(root)[0]


def versions(root: Path) -> tuple[str, str, str, str]:
    """The version as the project, the changelog, the page and the page's lock give it."""
    text = {name: (root / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "CHANGELOG.md")}
    pages = [json.loads((root / "api/web" / name).read_text("utf-8")) for name in ("package.json", "package-lock.json")]
    return (
        _VERSION.findall(text["pyproject.toml"])[0],
        re.findall(r"^## \[(.+?)\]", text["CHANGELOG.md"], re.MULTILINE)[0],
        pages[0]["version"],
        pages[1]["version"],
    )


def write_materials(root: Path, wheels: Path, version: str) -> None:
    """The bill of materials, CycloneDX: what a table installs by its lock, and what is bundled into the pages.

    It stands beside the wheels, one of which must run on this machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python")
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        locks = [word for name in ("table", "streams") for word in ("-r", str(root / f"requirements-{name}.lock"))]
        _run([*pip, "--require-hashes", *locks])
        _run([*pip, "--no-deps", "--no-index", "--only-binary=:all:", "-f", str(wheels), f"tableside=={version}"])
        _run([python, "-m", "pip", "check"])
        _run([python, "-m", "pip", "uninstall", "--quiet", "--yes", "pip", "setuptools"])
        materials = _run(
            [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--pyproject",
             str(root / "pyproject.toml"), python]
        )  # fmt: skip
    bill = json.dumps(with_page_parts(json.loads(materials)), indent=1)
    (wheels / f"tableside-{version}.cdx.json").write_text(f"{bill}\n", encoding="utf-8")


def with_page_parts(materials: dict[str, Any]) -> dict[str, Any]:
    """The bill with the packages that are bundled into the pages."""
    lock = json.loads((ROOT / "api" / "web" / "package-lock.json").read_text(encoding="utf-8"))
    bundled = [
        {
            "type": "library",
            "bom-ref": (purl := f"pkg:npm/{part.name.replace('@', '%40')}@{lock['packages'][key]['version']}"),
            "name": part.name,
            "version": lock["packages"][key]["version"],
            "purl": purl,
            "licenses": [{"license": {"id": part.licence}}],
        }
        for part in page_parts()
        for key in (f"node_modules/{part.name}",)
    ]
    return materials | {"components": [*materials["components"], *bundled]}


def write_sums(folder: Path) -> None:
    """SHA256SUMS of the folder, as `sha256sum --check` reads it."""
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8", newline="\n")


def _entries(text: str) -> list[tuple[str, str]]:
    """Kind and words of each change in a file; one file may hold several. Links lead on from the folder above."""
    parts = re.split(rf"^({'|'.join(KINDS)}): ", text.replace("](../", "]("), flags=re.MULTILINE)[1:]
    return [(kind, " ".join(says.split())) for kind, says in zip(parts[::2], parts[1::2], strict=True)]


def _replace(path: Path, pattern: re.Pattern[str], text: Any, *, every: bool = False) -> None:
    changed, count = pattern.subn(text, path.read_text(encoding="utf-8"), count=0 if every else 1)
    if not count:
        raise NotReady(f"{path.name} names no version where it should")
    path.write_text(changed, encoding="utf-8", newline="\n")


def _run(command: Sequence[str], chosen: Mapping[str, str] | None = None) -> str:
    """What the command prints; no module path of ours reaches it. Raises: NotReady."""
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | dict(chosen or {})
    ended = subprocess.run(command, env=clean, check=False, capture_output=True, text=True)
    if ended.returncode:
        raise NotReady(f"{' '.join(command[:4])} ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


if __name__ == "__main__":
    sys.exit(main())
