"""PDDL: domains, goals and their checks, problems from beliefs, solvers, validation.

What other rooms use, by module:

- :mod:`~foretree.planning.pddl.syntax`: the syntax tree
- :mod:`~foretree.planning.pddl.parser`, :mod:`~foretree.planning.task.goals`,
  :mod:`~foretree.planning.pddl.writer`: text in and out
- :mod:`~foretree.planning.pddl`: derived predicates, initial states, what is odd in a text
- :mod:`~foretree.planning.semantics.actions`: what it means: ``evaluate``, ``instantiate``, ``apply``,
  ``validate``
- :mod:`~foretree.planning.task.problems`: problems from beliefs, with their assumptions
- :mod:`~foretree.planning.solvers`: ``find_solver``, ``Solution``, ``Limits``
- :mod:`~foretree.planning.expansion`: a domain for a building out of one for a tabletop
- :mod:`~foretree.planning.plan`: ``Plan``, ``Action``
- :mod:`~foretree.planning.causal_links`: why each action of a plan is there, and in which order they must run

What makes a building small enough to be planned in:

- :mod:`~foretree.planning.maps.navigation`: how a domain speaks of moving about
- :mod:`~foretree.planning.maps.compression`: a problem on the compressed map, and its plan on the whole one
- :mod:`~foretree.planning.task.problem_assembly`: problems out of parts, each of which says what is its own
  to say
- :mod:`~foretree.planning.task.relaxed_relevance`, :mod:`~foretree.planning.task.object_selection`: which
  things and nodes a goal is about
- :mod:`~foretree.planning.task.problem_forms`: all of that for one session;
  :mod:`~foretree.planning.grounding.relaxed_reachability`: what is out of reach anyway;
  :mod:`~foretree.planning.maps.compression_loss`: what leaving things out costs

Between a problem and a solver stand :mod:`~foretree.planning.grounding.compilation` (what no engine takes),
:mod:`~foretree.planning.grounding.unusable_operators` and
:mod:`~foretree.planning.grounding._operator_relevance` (what cannot matter),
:mod:`~foretree.planning.grounding.grounding`, :mod:`~foretree.planning.grounding.mutex_groups` and
:mod:`~foretree.planning.grounding.capacity_proofs` (what never holds at once);
:mod:`~foretree.planning.grounding.unsolvability` says why there is no plan.
"""
