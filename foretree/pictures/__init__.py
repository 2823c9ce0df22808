"""Pictures for people: maps as drawings and text, occupancy grids, and the palette of all that is drawn."""
