"""Domains for a whole building from domains for a tabletop.

- :func:`expand`: a domain and an :class:`Expansion` in, an :class:`ExpandedDomain` out
- :func:`find_anchors`: which predicates mean that the hand is free, and that it holds something
"""

from foretree.planning.expansion.anchors import Anchor, Anchors, find_anchors
from foretree.planning.expansion.expand import ExpandedDomain, expand
from foretree.planning.expansion.expansion_errors import ExpansionError
from foretree.planning.expansion.options import Expansion

__all__ = ["Anchor", "Anchors", "ExpandedDomain", "Expansion", "ExpansionError", "expand", "find_anchors"]
