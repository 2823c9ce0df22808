"""Pixels in, observations out: what a camera delivers, and what can be made of it without any beliefs.

* :mod:`~foretree.perception.frame`: frames of a body with a camera
* :mod:`~foretree.perception.eyes`: a frame becomes an observation; eyes from settings, with the pictures that
  come with Foretree
* :mod:`~foretree.perception.relations`: support relations between masks
* :mod:`~foretree.perception.descriptors`: crops as vectors
* :mod:`~foretree.perception.gallery`: labelled pictures, from which states are read

How looks are weighed by where they were taken from is a matter of beliefs:
:mod:`foretree.world_model.tracking._viewpoint_evidence`. Nothing is imported here; the modules need numpy,
which comes with ``pip install foretree[homes]``.
"""
