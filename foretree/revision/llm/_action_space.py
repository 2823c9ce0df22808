"""The action space as a model gets to see it: types of actions, and what of an action it has to name.

The *target* of an operator is not written down; it follows from the operator. What the robot holds
already, and where a thing rests, need not be said: that is believed. What is left is the target: the mug of
picking it up, the fridge of putting something into it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from foretree.planning.pddl.syntax import Domain, Operator
from foretree.planning.plan import Action
from foretree.planning.semantics.actions import GroundAction
from foretree.planning.semantics.evaluation import all_literals
from foretree.skills.skill import Skill
from foretree.world_model.beliefs.facts import HAND_FREE, HOLDING, ROBOT_AT, WHEREABOUTS, Atom, Vocabulary


@dataclass(frozen=True, slots=True)
class ActionShape:
    """The parameters of an operator that say what an action of it is about.

    Attributes:
        operator: the operator.
        target: what the action is aimed at; None if it is aimed at nothing.
        subject: the thing that is chiefly concerned, where a parent is told as well.
        parent: what that thing rests on, or comes to rest on; None if there is no such thing.
    """

    operator: Operator
    target: int | None
    subject: int | None
    parent: int | None


class ActionSpace:
    """The types of actions of a domain.

    Args:
        domain: the domain.
        vocabulary: says what its predicates are about.
        skills: what the robot is told to do in each operator, and what that is; an operator without a skill
            goes by its own name.
        moves_robot: whether an operator does nothing but bring the robot elsewhere.

    Attributes:
        shapes: by type of action; moves are not among them.
        moves: what moves are called.
        openers: the operators that make moves possible, such as opening a door.
    """

    def __init__(
        self,
        domain: Domain,
        vocabulary: Vocabulary,
        skills: Mapping[str, Skill],
        moves_robot: Callable[[str], bool],
    ) -> None:
        self.shapes: dict[str, list[ActionShape]] = {}
        self.moves: set[str] = set()
        self.openers = frozenset(_openers(domain, moves_robot))
        self._types: dict[str, str] = {}
        self._by_operator: dict[str, ActionShape] = {}
        self._says: dict[str, str] = {}
        for operator in domain.operators.values():
            skill = skills.get(operator.name)
            kind = self._types[operator.name] = operator.name if skill is None else skill.order
            if moves_robot(operator.name):
                self.moves |= {kind, operator.name}
                continue
            shape = _shape_of(operator, domain, vocabulary, skill)
            self.shapes.setdefault(kind, []).append(shape)
            self._by_operator[operator.name] = shape
            self._says.setdefault(kind, skill.says if skill is not None else "")

    def type_of(self, skill: str) -> str:
        """Return the type of action of an operator."""
        return self._types[skill]

    def shape_of(self, skill: str) -> ActionShape | None:
        """The shape of an operator; None for one that only moves the robot."""
        return self._by_operator.get(skill)

    def described(self) -> Iterator[tuple[str, str, str, str]]:
        """Each type: its name, what it is, what its target is called, and what its parent is."""
        for kind, shapes in sorted(self.shapes.items()):
            targets = dict.fromkeys(_word(shape, shape.target) for shape in shapes)
            subjects = dict.fromkeys(_word(shape, shape.subject) for shape in shapes)
            parents = dict.fromkeys(_word(shape, shape.parent) for shape in shapes)
            yield (
                kind,
                self._says[kind],
                " or ".join(targets),
                f"{' or '.join(subjects)}, {' or '.join(parents)}",
            )

    def about_furniture_only(
        self, action: Action, ground: GroundAction, fixed: Callable[[str], bool]
    ) -> bool:
        """Return whether nothing that could be carried is concerned, as in opening a door."""
        shape = self._by_operator[action.skill]
        named = {shape.target, shape.subject, shape.parent} - {None}
        return all(fixed(action.arguments[index]) for index in named if index is not None) and not any(
            effect.literal.atom[0] == HOLDING for effect in ground.effects
        )


def _word(shape: ActionShape, index: int | None) -> str:
    return "none" if index is None else shape.operator.parameters[index].type


def _shape_of(operator: Operator, domain: Domain, vocabulary: Vocabulary, skill: Skill | None) -> ActionShape:
    names = [parameter.name for parameter in operator.parameters]
    things = _things(operator, domain, skill)
    held, supports = _held_and_supported(operator, things, vocabulary)
    free = [name for name in things if name not in held and name not in supports.values()]
    changed = (effect.literal.atom for effect in operator.effects)
    terms = (term for atom in changed for term in (atom[-1:] if atom[0] == HOLDING else atom[1:]))
    target = _first(terms, free) or next(iter([*free, *things]), None)
    carried = _first(things, held)
    subject, parent = target, supports.get(target or "")
    if parent is None:
        placed = _placed(operator, things, vocabulary)
        if placed is not None:
            subject, parent = placed
        elif carried not in (None, target):
            subject, parent = carried, target

    def index(name: str | None) -> int | None:
        return None if name is None else names.index(name)

    return ActionShape(operator, index(target), index(subject), index(parent))


def _held_and_supported(
    operator: Operator, things: Container[str], vocabulary: Vocabulary
) -> tuple[set[str], dict[str, str]]:
    """The parameters that *operator* needs to be held, and those that rest on another of the *things*."""
    needed = [literal.atom for literal in all_literals(operator.precondition) if literal.positive]
    held = {atom[-1] for atom in needed if atom[0] == HOLDING}
    supports: dict[str, str] = {}
    for atom in needed:
        is_placement = atom[0] != HOLDING and _places(atom, vocabulary)
        if is_placement and atom[1] in things and atom[2] in things:
            supports.setdefault(atom[1], atom[2])
    return held, supports


def _things(operator: Operator, domain: Domain, skill: Skill | None) -> list[str]:
    """The parameters that stand for things to act upon."""
    told = skill.roles if skill is not None else {}
    body = _body_types(domain)
    return [
        parameter.name
        for parameter in operator.parameters
        if parameter.type not in body and (not told or parameter.name.removeprefix("?") in told)
    ]


def _placed(operator: Operator, things: Container[str], vocabulary: Vocabulary) -> tuple[str, str] | None:
    """The thing that *operator* puts somewhere first, and where, if both are among *things*."""
    for effect in operator.effects:
        if effect.literal.positive and _places(effect.literal.atom, vocabulary):
            _, thing, support = effect.literal.atom
            return (thing, support) if thing in things and support in things else None
    return None


def _openers(domain: Domain, moves_robot: Callable[[str], bool]) -> Iterator[str]:
    """The operators that bring about what moves need and do not bring about themselves."""
    moves = [operator for name, operator in domain.operators.items() if moves_robot(name)]
    needed = {literal.atom[0] for move in moves for literal in all_literals(move.precondition)}
    needed -= {effect.literal.atom[0] for move in moves for effect in move.effects}
    for name, operator in domain.operators.items():
        if any(effect.literal.positive and effect.literal.atom[0] in needed for effect in operator.effects):
            yield name


def _body_types(domain: Domain) -> set[str]:
    """The types that are no things to act upon: robots, their hands, and nodes of the map."""
    predicates = (domain.predicates.get(name, ()) for name in (ROBOT_AT, HAND_FREE))
    return {parameter.type for parameters in predicates for parameter in parameters}


def _places(atom: Atom, vocabulary: Vocabulary) -> bool:
    """Return whether *atom* says where a thing is, other than in a hand."""
    return len(atom) == 3 and vocabulary[atom[0]].group == WHEREABOUTS


def _first(names: Iterable[str], among: Container[str]) -> str | None:
    return next((name for name in names if name in among), None)
