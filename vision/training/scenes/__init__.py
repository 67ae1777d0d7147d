"""Scene generator: tables as triangles with photographic textures, drawn as a camera sees them, with exact labels."""
