"""Surveys: asking a language model what classes of objects afford, to build an object-affordance mapping.

- :mod:`~foretree.reasoning.survey.strategies`: the three ways of asking
- :mod:`~foretree.reasoning.survey.logic`: affordances as combinations of simple questions
- :mod:`~foretree.reasoning.survey.runner`: asks about classes, and goes on where it was interrupted
- :mod:`~foretree.reasoning.survey.mapping_writer`: the answers as a file of classes
- :mod:`~foretree.reasoning.survey.class_names`: the classes to ask about
"""
