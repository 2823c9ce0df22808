"""``PlanNode``, which carries out a plan as part of a behaviour tree, and what its nodes are built by.

Bring a :class:`Builder` of your own to have actions carried out by your own leaves or subtrees.
"""

from foretree.trees.plan_node._children import SpliceListener
from foretree.trees.plan_node._node import PlanNode
from foretree.trees.plan_node._plan_improvement import WORTHWHILE_SAVING

__all__ = ["WORTHWHILE_SAVING", "PlanNode", "SpliceListener"]
