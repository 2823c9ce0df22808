"""The rule-based reviser, and the repairs that it is made of."""
