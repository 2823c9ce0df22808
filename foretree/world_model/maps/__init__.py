"""Maps: places, buildings, import and export."""
