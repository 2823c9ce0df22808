"""Actions: from ``(:action …)`` blocks to operators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from foretree.errors import suggest
from foretree.planning.pddl.errors import (
    DuplicateNameError,
    PddlSyntaxError,
    UnknownNameError,
    UnsupportedPddlError,
)
from foretree.planning.pddl.formula_reader import FormulaReader, Scope
from foretree.planning.pddl.sexpr import Group, Node
from foretree.planning.pddl.source import Source
from foretree.planning.pddl.syntax import (
    TOTAL_COST,
    TRUE,
    And,
    Cost,
    Effect,
    Formula,
    Literal,
    Operator,
    Typed,
    types_of,
)
from foretree.planning.pddl.typed_lists import unused_name

_KEYS = (":parameters", ":precondition", ":effect")
_NUMERIC_EFFECTS = ("assign", "decrease", "scale-up", "scale-down")


def read_operator(source: Source, group: Group, formulas: FormulaReader, counts_cost: bool) -> Operator:
    """The operator of an ``(:action …)`` block.

    Args:
        source: the text that the block comes from.
        group: the block.
        formulas: reads its conditions.
        counts_cost: whether the domain has a total cost, so that an action which adds nothing costs nothing.

    Raises:
        PddlError: the block does not say what it should; see its subclasses.
    """
    if len(group.items) < 2 or isinstance(group.items[1], Group) or group.items[1][0] in ":?":
        source.fail(
            PddlSyntaxError, group.at, "The action has no name: write (:action name :parameters (…) …)."
        )
    name = group.items[1]
    values = _values(source, group)
    parameters: tuple[Typed, ...] = ()
    precondition: Formula = TRUE
    if ":parameters" in values:
        parameters = formulas.variables(*values[":parameters"])
    scope = types_of(parameters)
    if ":precondition" in values:
        precondition = formulas.formula(*values[":precondition"], scope)
    effects = _Effects(source, formulas)
    if ":effect" in values:
        effects.read(*values[":effect"], scope, TRUE, ())
    cost = effects.cost or Cost(constant=0 if counts_cost else 1)
    place = f"{source.name}:{source.place(group.at)[0]}"
    return Operator(name, parameters, precondition, tuple(effects.found), cost, place)


def _values(source: Source, group: Group) -> dict[str, tuple[Node, int]]:
    values: dict[str, tuple[Node, int]] = {}
    index = 2
    while index < len(group.items):
        key, at = group.items[index], group.places[index]
        if isinstance(key, Group) or key[0] != ":":
            source.fail(PddlSyntaxError, at, f'"{key}" stands where one of {", ".join(_KEYS)} should.')
        if key in (":duration", ":condition"):
            source.fail(UnsupportedPddlError, at, f'"{key}": durative actions are not supported.')
        if key not in _KEYS:
            source.fail(UnknownNameError, at, f'"{key}" is not a part of an action. {suggest(key, _KEYS)}')
        if key in values:
            source.fail(DuplicateNameError, at, f'"{key}" is given twice.')
        value = group.items[index + 1] if index + 1 < len(group.items) else None
        if not isinstance(value, Group):
            source.fail(PddlSyntaxError, at, f'"{key}" is not followed by something in parentheses.')
        values[key] = value, group.places[index + 1]
        index += 2
    return values


class _Effects:
    """The effects and the cost of an action, collected while reading them."""

    def __init__(self, source: Source, formulas: FormulaReader) -> None:
        self._source = source
        self._formulas = formulas
        self.found: list[Effect] = []
        self.cost: Cost | None = None

    def read(
        self, node: Node, at: int, scope: Scope, condition: Formula, variables: tuple[Typed, ...]
    ) -> None:
        if isinstance(node, str):
            self._source.fail(
                PddlSyntaxError,
                at,
                f'"{node}" stands where an effect should: write it in parentheses, ({node} …).',
            )
        if not node.items:
            return
        match node.head:
            case "and":
                for item, place in node.entries:
                    self.read(item, place, scope, condition, variables)
            case "not":
                self._formulas.expect(node, 1, "(not (predicate …))")
                atom = self._formulas.atom(node.items[1], node.places[1], scope)
                self.found.append(Effect(Literal(atom, False), condition, variables))
            case "when":
                self._formulas.expect(node, 2, "(when (if …) (then …))")
                further = self._formulas.formula(node.items[1], node.places[1], scope)
                both = further if condition == TRUE else And((condition, further))
                self.read(node.items[2], node.places[2], scope, both, variables)
            case "forall":
                self._forall(node, scope, condition, variables)
            case "increase":
                self._increase(node, at, scope, conditional=condition != TRUE or bool(variables))
            case "or" | "imply" | "exists" | "=":
                self._source.fail(
                    PddlSyntaxError, at, f'"{node.head}" cannot be an effect: an effect says what becomes so.'
                )
            case word if word in _NUMERIC_EFFECTS:
                self._source.fail(
                    UnsupportedPddlError,
                    at,
                    f'"{word}" changes a number: the only number that actions change is the total cost, '
                    "(increase (total-cost) …).",
                )
            case _:
                literal = Literal(self._formulas.atom(node, at, scope))
                self.found.append(Effect(literal, condition, variables))

    def _forall(self, node: Group, scope: Scope, condition: Formula, variables: tuple[Typed, ...]) -> None:
        self._formulas.expect(node, 2, "(forall (?x - type) (effect …))")
        further = self._formulas.variables(node.items[1], node.places[1])
        renaming: dict[str, str] = {}
        for variable in further:
            if variable.name in scope:
                self._source.warn(
                    DuplicateNameError,
                    node.places[1],
                    f'"{variable.name}" is already bound here; give this variable a name of its own.',
                    "It means the inner one from here on.",
                )
                renaming[variable.name] = unused_name(variable.name, {*scope, *_words(node)})
        further = tuple(Typed(renaming.get(v.name, v.name), v.type) for v in further)
        inner = {**scope, **types_of(further)}
        body = _renamed(node.items[2], renaming) if renaming else node.items[2]
        self.read(body, node.places[2], inner, condition, (*variables, *further))

    def _increase(self, node: Group, at: int, scope: Scope, conditional: bool) -> None:
        target = node.items[1] if len(node.items) == 3 else None
        if not isinstance(target, Group) or target.items != [TOTAL_COST]:
            self._source.fail(
                UnsupportedPddlError,
                at,
                f'"{node}": the only number that actions change is the total cost, (increase (total-cost) 3) '
                "or (increase (total-cost) (function ?a ?b)).",
            )
        self._formulas.function_term(target, scope)
        if conditional:
            self._source.fail(
                UnsupportedPddlError, at, "A cost cannot depend on a condition or range over objects."
            )
        if self.cost is not None:
            self._source.fail(DuplicateNameError, at, "The action adds to the total cost twice.")
        amount, where = node.items[2], node.places[2]
        if isinstance(amount, str):
            self.cost = Cost(constant=read_cost(self._source, amount, where))
        elif amount.items == [TOTAL_COST] or amount.head in ("+", "-", "*", "/"):
            self._source.fail(
                UnsupportedPddlError, where, f'"{amount}": a cost is a number or the value of one function.'
            )
        else:
            self.cost = Cost(function=self._formulas.function_term(amount, scope))


def _words(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    else:
        for item in node.items:
            yield from _words(item)


def _renamed(node: Node, renaming: Mapping[str, str]) -> Node:
    if isinstance(node, str):
        return renaming.get(node, node)
    copy = Group(node.at)
    copy.items = [_renamed(item, renaming) for item in node.items]
    copy.places = node.places
    return copy


def read_cost(source: Source, word: str, at: int) -> int:
    """A cost: a whole number that is not negative.

    Raises:
        PddlSyntaxError: *word* is not a number.
        UnsupportedPddlError: it is not whole, or it is negative.
    """
    try:
        value = float(word)
    except ValueError:
        source.fail(PddlSyntaxError, at, f'"{word}" stands where a number should.')
    if not 0 <= value < 2**31 or value != int(value):
        source.fail(
            UnsupportedPddlError,
            at,
            f'"{word}" is not a cost: costs are whole numbers from 0 on (choose a smaller unit).',
        )
    return int(value)
