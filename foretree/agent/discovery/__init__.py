"""Discovery of a home that is not mapped: missing objects, the search for them, the map that grows.

- :mod:`~foretree.agent.discovery.missing_objects`: what a goal needs and is not known
- :mod:`~foretree.agent.discovery.object_search`: where to look for it
- :mod:`~foretree.agent.discovery.topological_map`: the map that is planned on, in step with what was seen
"""
