"""Licences of everything that is shipped, as docs/licences.md lists them: `python -m scripts.licences` writes the page.

A release writes it; a test compares what is installed with it. Versions are not in it: the locks hold those.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageMetadata, metadata, requires
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
EXTRAS = ("announce", "https", "hub", "metrics", "mqtt", "streams", "timestamp")
# May be part of a program under AGPL-3.0-or-later. LGPL-3.0-only: its section 4 lets it be used so.
COMPATIBLE = frozenset({
    "0BSD", "AGPL-3.0", "AGPL-3.0-or-later", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC",
    "GPL-3.0-or-later", "LGPL-2.1-or-later", "LGPL-3.0-only", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Zlib",
})  # fmt: skip
# What older packages write where others have an SPDX expression.
_SPDX = {
    "MIT License": "MIT",
    "MIT": "MIT",
    "ISC License (ISCL)": "ISC",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
}
_HEAD = """\
# Licences of what is shipped

<!-- Written by scripts/licences.py; a release writes it anew. -->

Tableside is free software under [AGPL-3.0-or-later](https://www.gnu.org/licenses/agpl-3.0.html). Everything that
comes with it, or that installing it fetches, may be part of such a program; a test holds it. The texts lie in each
package; `/licences` on every table shows those of the pages. Libraries that wheels of others bring along stand in the
[security policy](../SECURITY.md).

| part | licence | where |
|---|---|---|
| trained networks (`vision/detection/network/weights/`) | AGPL-3.0-or-later | made here, with Ultralytics (AGPL-3.0) |
| recorded game (`api/demo/`) | AGPL-3.0-or-later | made here |
| FFmpeg, in the wheels of opencv-python-headless | LGPL-2.1-or-later | a table |
| FFmpeg, x264 and x265, in the wheels of av | LGPL-3.0-or-later AND GPL-2.0-or-later | network cameras |
"""


class Part(NamedTuple):
    """A package and its licence, an SPDX expression; `place`: who fetches it."""

    name: str
    licence: str
    place: str


def main() -> int:
    """Write the page."""
    rows = [f"| {part.name} | {part.licence} | {part.place} |" for part in (*python_parts(), *page_parts())]
    PAGE.write_text(_HEAD + "\n".join(rows) + "\n", encoding="utf-8", newline="\n")
    print(f"{PAGE}: {len(rows)} packages")
    return 0


def listed_parts() -> set[tuple[str, str]]:
    """Name and licence of each package on the page."""
    rows = re.findall(r"^\| ([\w.@/-]+) \| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {(name, licence) for name, licence in rows if name != "part"}


def python_parts() -> list[Part]:
    """What pip fetches for a table, then what it fetches for a hub besides."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = set(_closure(project["dependencies"]))
    extras = [line for extra in EXTRAS for line in project["optional-dependencies"][extra]]
    hub = set(_closure(extras)) - table
    return [
        *(Part(name, licence_of(metadata(name)), "a table") for name in sorted(table)),
        *(Part(name, licence_of(metadata(name)), "an extra") for name in sorted(hub)),
    ]


def page_parts() -> list[Part]:
    """What is bundled into the pages."""
    lock = json.loads((ROOT / "api" / "web" / "package-lock.json").read_text(encoding="utf-8"))
    return [
        Part(place.removeprefix("node_modules/"), package["license"], "the pages")
        for place, package in sorted(lock["packages"].items())
        if place and not package.get("dev") and not package.get("devOptional")
    ]


def licence_of(package: PackageMetadata) -> str:
    """The SPDX expression of a package's licence, or what it says instead."""
    said = package.json
    if "license_expression" in said:
        return str(said["license_expression"])
    classifiers = [one.split(" :: ")[-1] for one in said.get("classifier", ()) if one.startswith("License ::")]
    written = classifiers or [str(said.get("license", "none")).splitlines()[0]]
    return " AND ".join(_SPDX.get(one, one) for one in written)


def is_compatible(licence: str) -> bool:
    """Whether an AGPL program may hold what is under this licence."""
    return all(
        any(one.strip(" ()") in COMPATIBLE for one in part.split(" OR ")) for part in re.split(r" AND ", licence)
    )


def _closure(lines: Iterable[str], extras: tuple[str, ...] = (), known: set[str] | None = None) -> Iterator[str]:
    """Canonical names of all that these requirements need here, and what that needs."""
    known = set() if known is None else known
    for line in lines:
        wanted = Requirement(line)
        if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            continue
        found = str(canonicalize_name(wanted.name))
        if found not in known:
            known.add(found)
            yield found
            yield from _closure(requires(found) or (), tuple(wanted.extras), known)


if __name__ == "__main__":
    sys.exit(main())
