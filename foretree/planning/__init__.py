"""PDDL: domains, goals and their checks, problems from beliefs, solvers, validation.

What other rooms use, by module:

- :mod:`~foretree.planning.syntax`: the syntax tree
- :mod:`~foretree.planning.parser`, :mod:`~foretree.planning.goals`, :mod:`~foretree.planning.writer`: text in
  and out
- :mod:`~foretree.planning.pddl`: derived predicates, initial states, what is odd in a text
- :mod:`~foretree.planning.semantics`: what it means: ``evaluate``, ``instantiate``, ``apply``, ``validate``
- :mod:`~foretree.planning.problems`: problems from beliefs, with their assumptions
- :mod:`~foretree.planning.solvers`: ``find_solver``, ``Solution``, ``Limits``
- :mod:`~foretree.planning.expansion`: a domain for a building out of one for a tabletop
- :mod:`~foretree.planning.plan`: ``Plan``, ``Action``
- :mod:`~foretree.planning.causality`: why each action of a plan is there, and in which order they must run

What makes a building small enough to be planned in:

- :mod:`~foretree.planning.navigation`: how a domain speaks of moving about
- :mod:`~foretree.planning.compression`: a problem on the compressed map, and its plan on the whole one
- :mod:`~foretree.planning.factored`: problems out of parts, each of which says what is its own to say
- :mod:`~foretree.planning.needs`, :mod:`~foretree.planning.selection`: which things and nodes a goal is about
- :mod:`~foretree.planning.overview`: all of that for one session; :mod:`~foretree.planning.outlook`: what is
  out of reach anyway; :mod:`~foretree.planning.loss`: what leaving things out costs

Between a problem and a solver stand :mod:`~foretree.planning.compilation` (what no engine takes),
:mod:`~foretree.planning.casting` and :mod:`~foretree.planning.relevance` (what cannot matter),
:mod:`~foretree.planning.grounding`, :mod:`~foretree.planning.invariants` and
:mod:`~foretree.planning.crowding` (what never holds at once);
:mod:`~foretree.planning.reachability` says why there is no plan.
"""
