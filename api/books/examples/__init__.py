"""Examples: whole books of invented games, to play and to copy."""

from pathlib import Path

from models.errors import BadInput

EXAMPLES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.toml"))}


def example_text(name: str) -> str:
    """The file, comments and all. Raises: BadInput when there is none of that name."""
    if name not in EXAMPLES:
        raise BadInput(f"there is no example {name!r}, only {', '.join(EXAMPLES)}", field="name", value=name)
    return EXAMPLES[name].read_text(encoding="utf-8")
