"""Pixels in, observations out: what a camera delivers, and what can be made of it without any beliefs.

* :mod:`~foretree.perception.frame`: what a body with a camera senses after each thing it does
* :mod:`~foretree.perception.eyes`: a frame becomes an observation
* :mod:`~foretree.perception.eye_settings`: eyes from settings, with the pictures that come with Foretree
* :mod:`~foretree.perception._frame_geometry`: what pixels show in space
* :mod:`~foretree.perception.relations`: what rests on what
* :mod:`~foretree.perception._coverage`: which regions are in view as a whole
* :mod:`~foretree.perception._point_visibility`: whether a thing at some spot would have been seen
* :mod:`~foretree.perception.descriptors`: what crops look like, as vectors
* :mod:`~foretree.perception.gallery`: labelled pictures, and what they say of others
* :mod:`~foretree.perception._reliability`: how far all that can be relied on

How looks are weighed by where they were taken from is a matter of beliefs:
:mod:`foretree.world_model.tracking._viewpoint_evidence`. Nothing is imported here; the modules need numpy,
which comes with ``pip install foretree[homes]``.
"""
