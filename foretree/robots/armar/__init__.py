"""ARMAR over ArmarX, by way of a bridge: a process of its own, run by the Python that has ``armarx``.

``armarx_bridge`` is what that process runs. It takes ``armarx`` and the standard library; all else here takes
neither ``armarx`` nor Ice.
"""
