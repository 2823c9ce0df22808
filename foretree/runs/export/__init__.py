"""Runs in the formats of other tools, each with a module of its own.

- :mod:`~foretree.runs.export.formats`: ``FORMATS``, ``Format``, ``export``
- :mod:`~foretree.runs.export.run_source`: ``RunSource``, a run that is written out
- :mod:`~foretree.runs.export.tree_items`: the tree at a moment, each node with its role and its action
- :mod:`~foretree.runs.export.event_text`: the events as JSON, JSON lines or CSV
- :mod:`~foretree.runs.export.snapshots`: snapshots of the tree for the viewer of py_trees_js
- :mod:`~foretree.runs.export.btcpp`: XML of BehaviorTree.CPP 4; ``XmlNode``, ``document``
- :mod:`~foretree.runs.export.btlog`: binary logs of BehaviorTree.CPP's FileLogger2
- :mod:`~foretree.runs.export.mcap_log`: ``McapLog``, which writes MCAP files, of a robot that is running too
- :mod:`~foretree.runs.export.mcap_events`: the events as MCAP
- :mod:`~foretree.runs.export.dot`: trees in Graphviz's language
"""
