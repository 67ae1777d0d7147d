"""Set-up pages: what `tableside setup` looks for at the four corners of the table."""

import json

from api.cli.print.options import Json, Output, Paper
from api.printing.paper import PaperName
from api.storage.files import write_whole


def setup(output: Output, paper: Paper = PaperName.A4, as_json: Json = False) -> None:
    """The four pages of `tableside setup`, one for each corner of the table, with a ruler of 100 mm on each."""
    from api.printing.setup_pages import CORNERS, render_setup_pages

    write_whole(output, render_setup_pages(paper))
    if as_json:
        print(json.dumps({"pdf": str(output), "pages": len(CORNERS), "corners": list(CORNERS)}))
        return
    places = ", ".join(f"{k} {corner}" for k, corner in enumerate(CORNERS, start=1))
    print(f"{output}: {len(CORNERS)} pages: {places}")
    print(
        "Print at 100 %, measure the ruler on one of them, and lay each flat with its cross at its corner of the table."
    )
