"""Evaluation files in the format of AutoGPT+P: a kitchen, and tasks in it."""

from __future__ import annotations

KITCHEN = """SCENE-DESCRIPTION
A kitchen with a person in it.

OBJECTS
table:0
counter:0
fridge:0
sink:0
stove:0

apple:0
banana:0
cucumber:0
milk:0
water:0
glass:0
glass:1
bowl:0
plate:0
knife:0
cutting_board:0
sponge:0
pot:0
END-OBJECTS
RELATIONS
on apple:0 table:0
on banana:0 counter:0
in cucumber:0 fridge:0
in milk:0 fridge:0
closed fridge:0
on glass:0 counter:0
on glass:1 table:0
on bowl:0 counter:0
on plate:0 table:0
on knife:0 cutting_board:0
on cutting_board:0 counter:0
in sponge:0 sink:0
on pot:0 stove:0
at robot:0 counter:0
END-RELATIONS
LOCATIONS
table0 table:0 apple:0 glass:1 plate:0
counter0 counter:0 banana:0 glass:0 bowl:0 knife:0 cutting_board:0
fridge0 fridge:0 cucumber:0 milk:0
sink0 sink:0 sponge:0
stove0 stove:0 pot:0
END-LOCATIONS
"""
SIMPLE = "task,scene_file,desired_goal,min_costs"
WITH_TOOLS = "task,scene_file,explored,substitutions_file,desired_goal,min_tool_calls,min_costs"
OF_MISSING = "task,scene_file,missing_object,alternatives"


def write_files(folder, **rows):
    """Write a folder with the kitchen and a CSV file for each keyword: its header, and its rows."""
    (folder / "scenes").mkdir(exist_ok=True)
    (folder / "scenes" / "kitchen.txt").write_text(KITCHEN)
    for name, lines in rows.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return folder
