"""Films of runs: the map, the plan and what happens, as GIF or MP4."""
