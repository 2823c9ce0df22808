"""Maps and occupancy grids drawn for people."""
