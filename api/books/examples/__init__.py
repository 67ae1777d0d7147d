"""Examples: whole books that ship, to play and to copy; those of invented games here, the shelf with the editions."""

from pathlib import Path

from models.errors import BadInput

EXAMPLES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.toml"))}
SHELF = {path.stem: path for path in sorted((Path(__file__).parents[3] / "referee/editions/shelf").glob("*.toml"))}
"""Books of facts about games that are played, each with what it was checked against."""
SHIPPED = EXAMPLES | SHELF


def example_text(name: str) -> str:
    """The file, comments and all. Raises: BadInput when there is none of that name."""
    if name not in SHIPPED:
        raise BadInput(f"there is no example {name!r}, only {', '.join(SHIPPED)}", field="name", value=name)
    return SHIPPED[name].read_text(encoding="utf-8")
