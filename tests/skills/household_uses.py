"""How each household skill is used, and when it cannot be: for the domain and for the world alike."""

#: The steps, where items are that are not on the table, what is true in the end, and what is not.
USES = [
    ("pick left mug1 table1", {}, "holding robot1 left mug1", "on mug1 table1"),
    (
        "move table1 sink1; pick left mug1 sink1",
        {"mug1": "in sink1"},
        "holding robot1 left mug1",
        "in mug1 sink1",
    ),
    ("pick left mug1 table1", {"mug1": "under table1"}, "holding robot1 left mug1", "under mug1 table1"),
    (
        "move table1 rack1; pick left towel1 rack1",
        {"towel1": "hung_on rack1"},
        "holding robot1 left towel1",
        "hung_on towel1 rack1",
    ),
    ("pick left mug1 table1; place_on left mug1 table1", {}, "on mug1 table1", "holding robot1 left mug1"),
    ("pick left mug1 table1; place_under left mug1 table1", {}, "under mug1 table1", "on mug1 table1"),
    (
        "pick left mug1 table1; move table1 sink1; place_in left mug1 sink1",
        {},
        "in mug1 sink1",
        "on mug1 table1",
    ),
    ("pick left cloth1 table1; move table1 rack1; hang_on left cloth1 rack1", {}, "hung_on cloth1 rack1", ""),
    (
        "pick left mug1 table1; move table1 ann; handover left mug1 ann",
        {},
        "given mug1 ann",
        "holding robot1 left mug1",
    ),
    ("move table1 fridge1; open left fridge1", {}, "open fridge1", "rob_at_node robot1 table1"),
    (
        "move table1 fridge1; open left fridge1; close left fridge1",
        {},
        "rob_at_node robot1 fridge1",
        "open fridge1",
    ),
    (
        "move table1 door1_kitchen_side; open_door left door1 door1_kitchen_side door1_hall_side; "
        "move door1_kitchen_side door1_hall_side",
        {},
        "rob_at_node robot1 door1_hall_side",
        "rob_at_node robot1 table1",
    ),
    (
        "move table1 door1_kitchen_side; open_door left door1 door1_kitchen_side door1_hall_side; "
        "close_door left door1 door1_kitchen_side door1_hall_side",
        {},
        "has_door door1 door1_kitchen_side door1_hall_side",
        "connected door1_kitchen_side door1_hall_side",
    ),
    ("move table1 microwave1; turn_on left microwave1", {}, "turned_on microwave1", ""),
    (
        "move table1 microwave1; turn_on left microwave1; turn_off left microwave1; open right microwave1",
        {},
        "open microwave1",
        "turned_on microwave1",
    ),
    (
        "pick left mug1 table1; move table1 sink1; wash left mug1 sink1",
        {},
        "clean mug1",
        "hand_free robot1 left",
    ),
    ("pick left mug1 table1; move table1 sink1; fill left mug1 sink1", {}, "filled mug1", ""),
    ("pick left knife1 table1; cut left knife1 apple1 table1", {}, "sliced apple1", ""),
    ("fold left towel1 table1", {}, "folded towel1", ""),
    ("pick left cloth1 table1; wipe left cloth1 table1", {}, "wiped table1", ""),
    ("inspect table1", {}, "inspected table1", ""),
]
FILLED_JUG = "pick left jug1 table1; move table1 sink1; fill left jug1 sink1; move sink1 table1; "
USES += [
    (FILLED_JUG + "pour left jug1 mug1 table1", {}, "filled mug1", "filled jug1"),
    (
        FILLED_JUG + "pour left jug1 mug1 table1; pick right spoon1 table1; stir right spoon1 mug1 table1",
        {},
        "stirred mug1",
        "",
    ),
    (
        FILLED_JUG + "pour left jug1 mug1 table1; pick right spoon1 table1; scoop right spoon1 mug1 table1",
        {},
        "laden spoon1",
        "",
    ),
]
WARM = "move table1 microwave1; heat left apple1 microwave1"
CHILL = "move table1 fridge1; cool left apple1 fridge1"
USES += [
    (WARM, {"apple1": "in microwave1"}, "hot apple1", ""),
    (CHILL, {"apple1": "in fridge1"}, "cold apple1", "hot apple1"),
]

#: A step, the steps before it (the apple is in the fridge), and why it is impossible.
REFUSALS = [
    ("pick left mug1 fridge1", "", "the robot is somewhere else"),
    ("pick left apple1 fridge1", "move table1 fridge1", "the fridge is closed"),
    ("pick left mug1 table1", "pick left knife1 table1", "the hand is full"),
    ("place_in left mug1 fridge1", "pick left mug1 table1; move table1 fridge1", "the fridge is closed"),
    ("place_in left mug1 table1", "pick left mug1 table1", "a table is no container"),
    ("place_on left mug1 sink1", "pick left mug1 table1; move table1 sink1", "a sink is no surface"),
    ("hang_on left mug1 rack1", "pick left mug1 table1; move table1 rack1", "a mug does not hang"),
    ("open left fridge1", "pick left mug1 table1; move table1 fridge1", "the hand is full"),
    ("open left microwave1", "move table1 microwave1; turn_on left microwave1", "it is running"),
    ("turn_on left microwave1", "move table1 microwave1; open left microwave1", "it is open"),
    ("open left sink1", "move table1 sink1", "a sink does not open"),
    ("heat left apple1 microwave1", "move table1 microwave1", "the apple is not inside"),
    (
        "heat left apple1 microwave1",
        "move table1 fridge1; open left fridge1; pick left apple1 fridge1; move fridge1 microwave1; "
        "open right microwave1; place_in left apple1 microwave1",
        "the microwave is open",
    ),
    ("cool left apple1 fridge1", "move table1 fridge1; open left fridge1", "the fridge is open"),
    ("cut left spoon1 apple1 table1", "pick left spoon1 table1", "a spoon has no blade"),
    ("cut left knife1 mug1 table1", "pick left knife1 table1", "mugs are not sliced"),
    ("pour left jug1 mug1 table1", "pick left jug1 table1", "the jug is empty"),
    ("stir left spoon1 mug1 table1", "pick left spoon1 table1", "the mug is empty"),
    ("fold left mug1 table1", "", "mugs are not folded"),
    ("wipe left mug1 table1", "pick left mug1 table1", "one does not wipe with a mug"),
    ("move door1_kitchen_side door1_hall_side", "move table1 door1_kitchen_side", "the door is closed"),
    ("handover left mug1 ann", "pick left mug1 table1", "the person is elsewhere"),
    ("inspect fridge1", "move table1 fridge1", "closed, so there is nothing to see"),
]
