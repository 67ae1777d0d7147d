"""Sheet writer: the PDF, the files that describe it, and a word about both."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel

from api.printing.paper import PaperName
from api.storage.files import save, write_whole

if TYPE_CHECKING:
    from api.printing.drawing import Drawing
    from api.printing.pdf_document import PrintJob


def write_sheet(
    job: "PrintJob",
    output: Path,
    paper: PaperName,
    *,
    beside: dict[str, BaseModel] | None = None,
    as_json: bool,
) -> None:
    """Write the files and say what they are."""
    from api.printing.page_layout import lay_out
    from api.printing.pdf_document import render_pdf

    pages = len(lay_out(job.drawings, paper))
    pdf = render_pdf(job, paper)
    written = {name: output.with_suffix(f".{name}.json") for name in beside or {}}
    for name, path in written.items():
        save((beside or {})[name], path)
    write_whole(output, pdf)
    if as_json:
        facts = {"pdf": str(output), "pages": pages, "drawings": _describe(job.drawings)}
        print(json.dumps(facts | {name: str(path) for name, path in written.items()}, ensure_ascii=False))
        return
    lines = [f"{output}: {pages} page{'s' if pages > 1 else ''}", *job.says]
    lines += [f"{path}: describes it" for path in written.values()]
    print("\n".join([*lines, "Print at 100 %; then both rulers on each page must measure 100 mm."]))


def _describe(drawings: "Sequence[Drawing]") -> list[dict[str, object]]:
    return [{"says": one.says, "width_mm": one.width_mm, "height_mm": one.height_mm} for one in drawings]
