"""How each operator of the tabletop domain is used: where things are, and a goal that takes it to reach.

The hand is empty unless something is held. The class of a thing is its name without the number.
"""

from __future__ import annotations

#: By operator: what holds at first, what must hold in the end.
USES: dict[str, tuple[str, str]] = {
    # pick
    "pick_from_surface": ("on mango1 table1", "holding mango1"),
    "pick_from_open_container": ("in mango1 fridge1, open fridge1", "holding mango1"),
    "pick_from_lidless_container": ("in old_battery1 trash_bin1", "holding old_battery1"),
    "pick_from_basin": ("in plate1 sink1", "holding plate1"),
    "pick_from_flushed_basin": ("in plate1 sink1", "clean plate1, holding plate1"),
    "pick_from_under": ("under umbrella1 table1", "holding umbrella1"),
    "pick_from_outlet": ("under cup1 coffee_maker1, occupied coffee_maker1", "holding cup1"),
    "pick_from_hook": ("hung_on hat1 drying_rack1", "holding hat1"),
    "pick_from_board": ("hung_on magnet1 fridge1", "holding magnet1"),
    "unstack": (
        "on blue_block1 table1, on red_block1 blue_block1, piled_at red_block1 table1, occupied blue_block1",
        "holding blue_block1",
    ),
    "unstack_from_pile": (
        "on green_block1 table1, on blue_block1 green_block1, on red_block1 blue_block1, occupied green_block1, "
        "occupied blue_block1, piled_at blue_block1 table1, piled_at red_block1 table1",
        "on red_block1 couch1",
    ),
    "unstack_under": (
        "under blue_block1 table1, on red_block1 blue_block1, piled_at red_block1 table1, occupied blue_block1",
        "holding blue_block1",
    ),
    "unstack_in_container": (
        "in book1 storage_drawers1, on red_block1 book1, piled_at red_block1 storage_drawers1, occupied book1",
        "holding book1",
    ),
    "unstack_from_pile_in_container": (
        "in green_block1 fridge1, on blue_block1 green_block1, on red_block1 blue_block1, occupied green_block1, "
        "occupied blue_block1, piled_at blue_block1 fridge1, piled_at red_block1 fridge1",
        "on red_block1 couch1",
    ),
    "take_off_item": ("on plate1 table1, on apple1 plate1", "holding apple1"),
    "take_off_item_in_container": ("in plate1 fridge1, open fridge1, on apple1 plate1", "holding apple1"),
    "take_out_of_item": ("on box1 table1, in pen1 box1, open box1", "holding pen1"),
    "take_out_of_lidless_item": ("on bowl1 table1, in apple1 bowl1", "holding apple1"),
    "take_out_of_item_in_container": ("in bowl1 fridge1, open fridge1, in apple1 bowl1", "holding apple1"),
    "remove_battery": (
        "on remote1 table1, in old_battery1 remote1, occupied remote1",
        "in old_battery1 trash_bin1",
    ),
    "remove_battery_under": (
        "under remote1 table1, in old_battery1 remote1, occupied remote1",
        "in old_battery1 trash_bin1",
    ),
    "remove_battery_in_container": (
        "in remote1 storage_drawers1, in old_battery1 remote1, occupied remote1",
        "in old_battery1 trash_bin1",
    ),
    "lift_from_surface": ("on tray1 table1, on cup1 tray1", "on tray1 meeting_table1, on cup1 tray1"),
    "lift_from_under": ("under crate1 table1", "on crate1 table1"),
    "lift_out_of_container": ("in laundry_basket1 wardrobe1", "on laundry_basket1 couch1"),
    # place_on
    "put_on_surface": ("holding mango1", "on mango1 table1"),
    "put_on_item": ("holding mango1, on plate1 table1", "on mango1 plate1"),
    "put_on_item_in_container": ("holding mango1, in plate1 fridge1, open fridge1", "on mango1 plate1"),
    "stack_on": ("on red_block1 table1, on blue_block1 table1", "on red_block1 blue_block1"),
    "stack_on_pile": (
        "on purple_block1 table1, on red_block1 table1, on blue_block1 table1, on green_block1 couch1",
        "on purple_block1 red_block1, on red_block1 blue_block1, on blue_block1 green_block1",
    ),
    "set_down_on_surface": ("under crate1 table1", "on crate1 couch1"),
    # place_in
    "put_in_open_container": ("holding mango1", "in mango1 fridge1"),
    "put_in_lidless_container": ("holding flower1", "in flower1 flower_bed1"),
    "throw_away": ("on banana1 table1", "in banana1 trash_bin1"),
    "put_in_basin": ("holding plate1", "in plate1 sink1"),
    "put_in_microwave": ("holding sandwich1", "in sandwich1 microwave1"),
    "put_in_item": ("on pen1 table1, on box1 table1", "in pen1 box1, not open box1"),
    "put_in_lidless_item": ("on mango1 table1, on basket1 table1", "in mango1 basket1"),
    "put_in_item_in_container": ("holding mango1, in bowl1 fridge1, open fridge1", "in mango1 bowl1"),
    "insert_battery": (
        "on remote1 table1, in old_battery1 remote1, occupied remote1, on new_battery1 table1",
        "in new_battery1 remote1, in old_battery1 trash_bin1",
    ),
    "set_down_in_container": ("on crate1 table1", "in crate1 cupboard1"),
    # place_under
    "put_under_furniture": ("on umbrella1 couch1", "under umbrella1 table1"),
    "put_under_outlet": ("on cup1 table1", "under cup1 coffee_maker1"),
    "set_down_under_furniture": ("on laundry_basket1 couch1", "under laundry_basket1 table1"),
    # hang_on
    "hang_on_hook": ("on hat1 table1", "hung_on hat1 drying_rack1"),
    "stick_on_board": ("on magnet1 table1", "hung_on magnet1 blackboard1"),
    "pin_under_magnet": ("on paper1 table1, hung_on magnet1 blackboard1", "hung_on paper1 blackboard1"),
    # open
    "open_container": ("", "open cupboard1"),
    "open_appliance": ("in cup1 microwave1, turned_on microwave1", "open microwave1"),
    "open_blinds": ("", "open window1"),
    "open_item": ("on box1 table1", "open box1"),
    "open_item_in_container": ("in jar1 cupboard1", "open jar1, in jar1 cupboard1, not open cupboard1"),
    "open_bottle": ("on juice1 table1", "open juice1"),
    "uncover_powder": ("on sugar_jar1 table1", "open sugar_jar1"),
    "open_laptop": ("on laptop1 table1", "open laptop1"),
    "open_book": ("on book1 table1", "open book1"),
    # close
    "close_container": ("open cupboard1", "not open cupboard1"),
    "close_appliance": ("open dishwasher1", "not open dishwasher1"),
    "close_blinds": ("open window1", "not open window1"),
    "close_item": ("on box1 table1, open box1", "not open box1"),
    "close_item_in_container": ("in jar1 cupboard1, open jar1", "not open jar1, in jar1 cupboard1"),
    "close_bottle": ("on juice1 table1, open juice1", "not open juice1"),
    "cover_powder": ("on sugar_jar1 table1, open sugar_jar1", "not open sugar_jar1"),
    "close_laptop": ("on laptop1 table1, open laptop1, turned_on laptop1", "not open laptop1"),
    "close_book": ("on book1 table1, open book1", "not open book1"),
    # pour
    "pour_water": ("on glass1 table1, on jug1 table1, filled jug1, has_water jug1", "has_water glass1"),
    "pour_hot_water": (
        "on kettle1 table1, filled kettle1, has_water kettle1, on cup1 table1",
        "has_water cup1, hot cup1",
    ),
    "pour_water_from_bottle": (
        "on water_bottle1 table1, on glass1 table1",
        "has_water glass1, on glass1 table1",
    ),
    "pour_milk": ("on mug1 table1, filled mug1, has_milk mug1, on cup1 table1", "has_milk cup1"),
    "pour_hot_milk": (
        "on mug1 table1, filled mug1, has_milk mug1, hot mug1, on cup1 table1",
        "has_milk cup1, hot cup1",
    ),
    "pour_milk_from_carton": ("in milk1 fridge1, on cup1 table1", "has_milk cup1, hot cup1, on cup1 table1"),
    "pour_coffee": ("on mug1 table1, filled mug1, has_coffee mug1, on cup1 table1", "has_coffee cup1"),
    "pour_hot_coffee": (
        "under jug1 coffee_maker1, occupied coffee_maker1, on cup1 table1",
        "has_coffee cup1, hot cup1, under jug1 coffee_maker1",
    ),
    "pour_juice": ("on jug1 table1, filled jug1, has_juice jug1, on glass1 table1", "has_juice glass1"),
    "pour_juice_from_carton": ("in juice1 fridge1, on glass1 table1", "has_juice glass1"),
    "pour_tea": ("on teapot1 table1, filled teapot1, has_tea teapot1, on cup1 table1", "has_tea cup1"),
    "pour_hot_tea": (
        "on teapot1 table1, filled teapot1, has_tea teapot1, hot teapot1, on cup1 table1",
        "has_tea cup1, hot cup1",
    ),
    "water_plant": ("on houseplant1 table1, on watering_can1 table1", "watered houseplant1"),
    "water_bed": ("on watering_can1 table1", "watered flower_bed1"),
    "pour_away": ("on cup1 table1, filled cup1, has_coffee cup1", "not filled cup1"),
    "tip_sugar": ("on sugar_jar1 table1, on spoon1 table1, on cup1 table1", "has_sugar cup1"),
    "tip_cereal": ("on cereal1 table1, on spoon1 table1, on bowl1 table1", "has_cereal bowl1"),
    "tip_soil": ("on soil_bag1 table1, on trowel1 table1, on flowerpot1 table1", "has_soil flowerpot1"),
    # cut
    "slice_food": ("on knife1 table1, on tomato1 table1", "sliced tomato1"),
    "slice_on_board": (
        "on knife1 table1, on chopping_board1 table1, on bread1 chopping_board1",
        "sliced bread1, on bread1 chopping_board1",
    ),
    "clip_sheet": ("on scissors1 table1, on paper1 table1", "clipped paper1"),
    # stir
    "stir_drink": ("on spoon1 table1, on cup1 table1, filled cup1, has_coffee cup1", "stirred cup1"),
    "dissolve_sugar": (
        "on sugar_jar1 table1, on spoon1 table1, on cup1 table1, filled cup1, has_coffee cup1",
        "sweetened cup1",
    ),
    # scoop
    "scoop_sugar": ("on sugar_jar1 table1, on spoon1 table1", "laden spoon1, has_sugar spoon1"),
    "scoop_cereal": ("on cereal1 table1, on spoon1 table1", "laden spoon1, has_cereal spoon1"),
    "scoop_soil": ("on soil_bag1 table1, on trowel1 table1", "laden trowel1, has_soil trowel1"),
    # fold
    "fold_cloth": ("hung_on towel1 drying_rack1", "folded towel1"),
    "fold_paper": ("on paper1 table1", "folded paper1"),
    # wipe
    "wipe_surface": ("in sponge1 sink1", "wiped table1"),
    "wipe_window": ("on cloth1 table1", "wiped window1"),
    "erase_board": ("on eraser1 table1", "wiped blackboard1"),
    "wipe_dish": ("on sponge1 table1, on plate1 table1", "clean plate1, on plate1 table1"),
    "wipe_device": ("on cloth1 table1, on lamp1 table1, turned_on lamp1", "clean lamp1"),
    # turn_on
    "heat_in_microwave": ("on sandwich1 table1", "hot sandwich1"),
    "rinse_item": ("in apple1 fridge1", "clean apple1, not turned_on sink1"),
    "rinse_filled_vessel": ("in cup1 sink1, filled cup1, has_milk cup1", "clean cup1, has_milk cup1"),
    "fill_vessel": ("on vase1 table1", "has_water vase1"),
    "brew_coffee": ("on cup1 table1", "has_coffee cup1, on cup1 meeting_table1"),
    "boil_water": ("on kettle1 table1", "hot kettle1, has_water kettle1"),
    "wash_load": ("on cloth1 couch1", "clean cloth1, hung_on cloth1 drying_rack1"),
    "wash_two_together": ("on shirt1 couch1, on towel1 couch1", "clean shirt1, clean towel1"),
    "run_dishwasher": ("in plate1 dishwasher1", "clean plate1, in plate1 dishwasher1"),
    "switch_on_screen": ("", "turned_on tv1"),
    "switch_on_lamp": ("on fan1 table1", "turned_on fan1"),
    "switch_on_laptop": ("on laptop1 table1", "turned_on laptop1"),
    # turn_off
    "turn_off_tap": ("turned_on sink1", "not turned_on sink1"),
    "switch_off_appliance": ("in cup1 microwave1, turned_on microwave1", "on cup1 table1"),
    "switch_off_coffee_maker": ("turned_on coffee_maker1", "not turned_on coffee_maker1"),
    "switch_off_screen": ("turned_on projector1", "not turned_on projector1"),
    "switch_off_kettle": ("on kettle1 table1, turned_on kettle1", "not turned_on kettle1"),
    "switch_off_lamp": ("on radio1 table1, turned_on radio1", "not turned_on radio1"),
    # Somebody may have shut it while it ran.
    "switch_off_laptop": ("on laptop1 table1, turned_on laptop1", "not turned_on laptop1"),
}

#: What cannot be done: where things are, the operator that comes nearest to it, and what it lacks.
REFUSALS = [
    (
        "holding mango1, in apple1 fridge1, open fridge1",
        "pick_from_open_container apple1 fridge1",
        "hand_empty",
    ),
    ("in apple1 fridge1", "pick_from_open_container apple1 fridge1", "open fridge1"),
    ("on tray1 table1", "pick_from_surface tray1 table1", "not bulky tray1"),
    ("on cup1 table1", "lift_from_surface cup1 table1", "bulky cup1"),
    (
        "on red_block1 table1, on blue_block1 red_block1, piled_at blue_block1 table1, occupied red_block1",
        "pick_from_surface red_block1 table1",
        "not occupied red_block1",
    ),
    (
        "on remote1 table1, in new_battery1 remote1, occupied remote1",
        "pick_from_surface remote1 table1",
        "not occupied remote1",
    ),
    (
        "on remote1 table1, in old_battery1 remote1, occupied remote1, holding new_battery1",
        "insert_battery new_battery1 remote1 table1",
        "not occupied remote1",
    ),
    ("on remote1 table1, holding pen1", "insert_battery pen1 remote1 table1", "battery pen1"),
    (
        "on red_block1 table1, on blue_block1 red_block1, piled_at blue_block1 table1, occupied red_block1, holding green_block1",
        "stack_on green_block1 red_block1 table1",
        "not occupied red_block1",
    ),
    (
        "holding mug1, under cup1 coffee_maker1, occupied coffee_maker1",
        "put_under_outlet mug1 coffee_maker1",
        "not occupied coffee_maker1",
    ),
    ("holding book1", "put_under_outlet book1 coffee_maker1", "fillable book1"),
    ("holding mango1", "put_in_microwave mango1 microwave1", "open microwave1"),
    ("holding plate1, open microwave1", "put_in_microwave plate1 microwave1", "not surface plate1"),
    ("holding mango1", "hang_on_hook mango1 drying_rack1", "hangable mango1"),
    ("holding hat1", "stick_on_board hat1 fridge1", "magnetic hat1"),
    ("turned_on microwave1", "open_appliance microwave1", "not turned_on microwave1"),
    ("open fridge1", "open_container fridge1", "not open fridge1"),
    ("open microwave1, in cup1 microwave1", "heat_in_microwave cup1 microwave1", "not open microwave1"),
    ("turned_on sink1, in cup1 sink1", "fill_vessel cup1 sink1", "not turned_on sink1"),
    (
        "in shirt1 washing_machine1, open washing_machine1",
        "wash_load shirt1 washing_machine1",
        "not open washing_machine1",
    ),
    ("on laptop1 table1", "switch_on_laptop laptop1 table1", "open laptop1"),
    (
        "on laptop1 table1, open laptop1, turned_on laptop1",
        "close_laptop laptop1 table1",
        "not turned_on laptop1",
    ),
    ("on kettle1 table1, filled kettle1, has_milk kettle1", "boil_water kettle1 table1", "has_water kettle1"),
    (
        "on kettle1 couch1, filled kettle1, has_water kettle1",
        "boil_water kettle1 couch1",
        "kettle_base couch1",
    ),
    (
        "holding jug1, filled jug1, has_water jug1, on cup1 table1, filled cup1, has_milk cup1",
        "pour_water jug1 cup1 table1",
        "not filled cup1",
    ),
    (
        "holding jug1, filled jug1, has_tea jug1, on cup1 table1",
        "pour_water jug1 cup1 table1",
        "has_water jug1",
    ),
    (
        "holding jug1, filled jug1, has_water jug1, on cup1 table1, soaked cup1",
        "pour_water jug1 cup1 table1",
        "not soaked cup1",
    ),
    ("holding juice1, on glass1 table1", "pour_juice_from_carton juice1 glass1 table1", "open juice1"),
    (
        "holding jug1, filled jug1, has_milk jug1, on houseplant1 table1",
        "water_plant jug1 houseplant1 table1",
        "has_water jug1",
    ),
    ("holding spoon1, on tomato1 table1", "slice_food spoon1 tomato1 table1", "blade spoon1"),
    (
        "holding knife1, in tomato1 fridge1, open fridge1",
        "slice_food knife1 tomato1 fridge1",
        "on tomato1 fridge1, surface fridge1",
    ),
    ("holding spoon1, on cup1 table1", "stir_drink spoon1 cup1 table1", "filled cup1"),
    ("holding spoon1, on sugar_jar1 table1", "scoop_sugar spoon1 sugar_jar1 table1", "open sugar_jar1"),
    (
        "holding spoon1, laden spoon1, has_sugar spoon1, on cereal1 table1",
        "scoop_cereal spoon1 cereal1 table1",
        "not laden spoon1",
    ),
    ("holding cup1, on paper1 table1", "fold_paper paper1 table1", "hand_empty"),
    (
        "in towel1 cupboard1, open cupboard1",
        "fold_cloth towel1 cupboard1",
        "on towel1 cupboard1, surface cupboard1",
    ),
    ("holding sponge1", "erase_board sponge1 blackboard1", "erases sponge1"),
    ("holding spoon1", "wipe_surface spoon1 table1", "wiper spoon1"),
    ("in plate1 sink1, holding cup1", "rinse_item plate1 sink1", "hand_empty"),
    (
        "under cup1 coffee_maker1, filled cup1, has_milk cup1",
        "brew_coffee cup1 coffee_maker1",
        "not filled cup1",
    ),
]

#: A scene in which much can be done, also what comes to nothing.
CROWD = (
    "on red_block1 table1, on blue_block1 table1, on green_block1 red_block1, occupied red_block1, "
    "piled_at green_block1 table1, on book1 couch1, on plate1 table1, on apple1 plate1, on mug1 table1, "
    "in cup1 sink1, on milk1 table1, on spoon1 table1, on sugar_jar1 table1, on remote1 table1, "
    "in old_battery1 remote1, occupied remote1, on new_battery1 table1, on tray1 couch1, in shirt1 cupboard1, "
    "on knife1 table1, hung_on hat1 drying_rack1, in flower1 flower_bed1, under jug1 coffee_maker1, "
    "occupied coffee_maker1, on kettle1 table1"
)
