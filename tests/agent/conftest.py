import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.append(str(TESTS / "behaviours"))
sys.path.append(str(TESTS / "reasoning"))
sys.path.append(str(TESTS / "world_model" / "occupancy"))
