"""Pixels in, observations out: what a camera delivers, and what can be made of it without any beliefs.

* :mod:`~foretree.perception.frame`: what a body with a camera senses after each thing it does

Nothing is imported here; the modules need numpy, which comes with ``pip install foretree[homes]``.
"""
