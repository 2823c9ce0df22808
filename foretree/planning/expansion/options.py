"""What an expansion is to add to a domain."""

from __future__ import annotations

from dataclasses import dataclass, fields

from foretree.planning.expansion.expansion_errors import ExpansionOptionError

#: Hands of a robot where nobody says how many.
USUAL_HANDS = 2


@dataclass(frozen=True, slots=True)
class Expansion:
    """What to add to a tabletop domain. The order in which names are listed does not matter.

    Attributes:
        navigation: the robot and things are somewhere; ``move_robot``.
        doors: ways through a door must be opened first; ``open_door``. Implies navigation.
        hands: tell the hands of a robot apart, and how many each robot has; None for one implicit hand.
        costs: 1 per manipulation, ``travel_cost`` per way travelled.
        robots: how many robots there are. The domain is the same for any number.
        carry: the predicates (thing, support) that say what rests on or in what. What rests has no node of
            its own: it is where its support is, and goes where that goes. Implies navigation.
        mobile: types of things that are pushed from node to node with all that rests on them.
        two_handed: operators that need two hands of the same robot at once. Implies hands.
        placeless: types (or unary predicates, or constants) of what is nowhere in particular: a colour, a
            liquid.
        nesting: through how many supports a thing is reached where an operator does not name its support.
        hand_free: the predicate that means "the hand is free", where it is not found by itself.
        holding: the predicates that mean "is held", where they are not found by themselves.
        door_open: a unary predicate of the domain that says of a door, too, that it is open.
    """

    navigation: bool = False
    doors: bool = False
    hands: int | None = None
    costs: bool = False
    robots: int | None = None
    carry: tuple[str, ...] = ()
    mobile: tuple[str, ...] = ()
    two_handed: tuple[str, ...] = ()
    placeless: tuple[str, ...] = ()
    nesting: int = 2
    hand_free: str | None = None
    holding: tuple[str, ...] = ()
    door_open: str | None = None

    def __post_init__(self) -> None:
        for name in ("carry", "mobile", "two_handed", "placeless", "holding"):
            names = tuple(sorted({word.lower() for word in getattr(self, name)}))
            object.__setattr__(self, name, names)
        for name in ("hand_free", "door_open"):
            word = getattr(self, name)
            object.__setattr__(self, name, word and word.lower())
        for name, least in (("hands", 1), ("robots", 1), ("nesting", 0)):
            number = getattr(self, name)
            if number is not None and number < least:
                raise ExpansionOptionError(
                    f"{name} is {number}; it must be a whole number from {least} on.", option=name
                )
        if self.two_handed and self.hands == 1:
            raise ExpansionOptionError(
                f"{', '.join(self.two_handed)} takes two hands at once, and hands is 1: nothing could do it. "
                "Say at least 2 hands, or leave two_handed out.",
                option="hands",
            )
        if self.mobile and not self.carry:
            raise ExpansionOptionError(
                f"{', '.join(self.mobile)} is to be pushed with what is on it, but nothing says which "
                "predicates mean that something rests on it: name them under carry, for example on and in.",
                option="mobile",
            )

    @property
    def navigates(self) -> bool:
        """Whether the robot is somewhere."""
        return self.navigation or self.doors or bool(self.carry)

    @property
    def hands_each(self) -> int | None:
        """How many hands each robot has; None when they are not told apart."""
        return USUAL_HANDS if self.hands is None and self.two_handed else self.hands

    @property
    def acts(self) -> bool:
        """Whether operators say which robot acts."""
        return self.navigates or self.hands_each is not None or self.robots is not None

    def __or__(self, other: Expansion) -> Expansion:
        """Both together.

        Raises:
            ExpansionOptionError: they contradict each other.
        """
        values: dict[str, object] = {}
        for option in fields(self):
            ours, theirs = getattr(self, option.name), getattr(other, option.name)
            if isinstance(ours, bool):
                values[option.name] = ours or theirs
            elif isinstance(ours, tuple):
                values[option.name] = ours + theirs
            elif ours == theirs or theirs == option.default:
                values[option.name] = ours
            elif ours == option.default:
                values[option.name] = theirs
            else:
                raise ExpansionOptionError(
                    f"{option.name} is {ours} in one expansion and {theirs} in the other: say the same in "
                    "both.",
                    option=option.name,
                )
        return Expansion(**values)  # type: ignore[arg-type]
