"""Domains for a whole building from domains for a tabletop.

- :func:`expand`: a domain and an :class:`Expansion` in, an :class:`ExpandedDomain` out
- :func:`expand_file`, :func:`write_expanded`: from a file, and as text
- :func:`read_expansion`: the options as YAML says them
- :func:`expand_problem`: a problem of the base domain, in a :class:`Building`
- :func:`find_anchors`: which predicates mean that the hand is free, and that it holds something
"""

from foretree.planning.expansion.anchors import Anchor, Anchors, find_anchors
from foretree.planning.expansion.expand import ExpandedDomain, expand
from foretree.planning.expansion.expansion_errors import ExpansionError
from foretree.planning.expansion.files import expand_file, write_expanded
from foretree.planning.expansion.lifting import Building, expand_problem, usual_building
from foretree.planning.expansion.option_file import read_expansion
from foretree.planning.expansion.options import Expansion

__all__ = [
    "Anchor",
    "Anchors",
    "Building",
    "ExpandedDomain",
    "Expansion",
    "ExpansionError",
    "expand",
    "expand_file",
    "expand_problem",
    "find_anchors",
    "read_expansion",
    "usual_building",
    "write_expanded",
]
