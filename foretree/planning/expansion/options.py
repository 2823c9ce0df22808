"""The options of an expansion, in Python and in YAML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, StrictBool, StrictInt, StrictStr, model_validator

from foretree.file_errors import FileError, error_at
from foretree.planning.expansion.expansion_errors import ExpansionOptionError
from foretree.schema import Strict, validate

#: Hands of a robot where the options do not say how many.
USUAL_HANDS = 2


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name.lower() for name in names}))


def _counted(usual: int) -> AfterValidator:
    return AfterValidator(lambda value: (usual if value else None) if isinstance(value, bool) else value)


#: One name may stand without brackets where several can stand.
_Names = Annotated[tuple[StrictStr, ...], BeforeValidator(_listed), AfterValidator(_sorted)]
_Name = Annotated[StrictStr, AfterValidator(str.lower)]


class Expansion(Strict):
    """The additions to a tabletop domain. The order in which names are listed does not matter.

    Attributes:
        navigation: the robot and things are somewhere; ``move_robot``.
        doors: ways through a door must be opened first; ``open_door``. Implies navigation.
        hands: tell the hands of a robot apart, and how many each robot has; None for one implicit hand. In a
            file, ``true`` means two.
        costs: 1 per manipulation, ``travel_cost`` per way travelled.
        robots: how many robots there are; in a file, ``true`` means one. The domain does not depend on it.
        carry: the predicates (thing, support) that say what rests on or in what. What rests has no node of
            its own: it is where its support is, and goes where that goes. Implies navigation.
        mobile: types of things that are pushed from node to node with all that rests on them.
        two_handed: operators that need two hands of the same robot at once. Implies hands.
        placeless: types (or unary predicates, or constants) of things that are nowhere in particular: a
            colour, a liquid.
        nesting: through how many supports a thing is reached where an operator does not name its support.
        hand_free: the predicate that means "the hand is free", where it is not found by itself.
        holding: the predicates that mean "is held", where they are not found by themselves.
        door_open: a unary predicate of the domain that says of a door, too, that it is open.
    """

    navigation: StrictBool = False
    doors: StrictBool = False
    hands: Annotated[StrictBool | StrictInt | None, _counted(USUAL_HANDS)] = None
    costs: StrictBool = False
    robots: Annotated[StrictBool | StrictInt | None, _counted(1)] = None
    carry: _Names = ()
    mobile: _Names = ()
    two_handed: _Names = ()
    placeless: _Names = ()
    nesting: StrictInt = 2
    hand_free: _Name | None = None
    holding: _Names = ()
    door_open: _Name | None = None

    @model_validator(mode="after")
    def _check(self) -> Expansion:
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
        return self

    @property
    def navigates(self) -> bool:
        """True if the robot is somewhere."""
        return self.navigation or self.doors or bool(self.carry)

    @property
    def hands_each(self) -> int | None:
        """The number of hands of each robot; None when they are not told apart."""
        return USUAL_HANDS if self.hands is None and self.two_handed else self.hands

    @property
    def acts(self) -> bool:
        """True if operators say which robot acts."""
        return self.navigates or self.hands_each is not None or self.robots is not None

    def changed(self) -> dict[str, Any]:
        """The options that are not at their defaults."""
        return {k: v for k, v in self if v != type(self).model_fields[k].default}

    def __or__(self, other: Expansion) -> Expansion:
        """Both together.

        Raises:
            ExpansionOptionError: they contradict each other.
        """
        values = self.changed()
        for name, theirs in other.changed().items():
            ours = values.setdefault(name, theirs)
            if isinstance(ours, tuple):
                values[name] = ours + theirs
            elif ours != theirs:
                raise ExpansionOptionError(
                    f"{name} is {ours} in one expansion and {theirs} in the other: say the same in both.",
                    option=name,
                )
        return Expansion(**values)


def read_expansion(data: Mapping[str, Any], path: Path, location: tuple[str, ...] = ()) -> Expansion:
    """The options in a mapping of a YAML file.

    Args:
        data: the mapping.
        path: the file, for messages.
        location: the keys under which the mapping stands in the file.

    Raises:
        FileError: the options are wrong; with file, line and key.
    """
    try:
        return validate(Expansion, data, path)
    except FileError as error:
        raise error_at(path, (*location, *error.location), error.problem) from error
    except ExpansionOptionError as error:
        where = location if error.option is None else (*location, error.option)
        raise error_at(path, where, error.problem) from error
