"""The words of noun phrases: determiners, modifiers, owners, the words of a scene."""
