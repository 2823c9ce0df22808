"""The run record: what is written down while a session goes on, and everything that reads it.

What other rooms use, by module (none is imported here, since only some of them need a database):

- :mod:`~foretree.runs.events`: ``Event``, the ``Recorder`` protocol, ``Silent``, ``Tape``
- :mod:`~foretree.runs.event_kinds`: the data of each kind of event, typed; ``read_event``
- :mod:`~foretree.runs.store`: ``RunStore``, ``Run``, ``RunInfo``, ``ControlRequest``, ``RunError``
- :mod:`~foretree.runs.recorder`: ``RunRecorder``
- :mod:`~foretree.runs.reader`: ``events``, ``follow``, ``paced``, ``wait_for_end``, ``compare``
- :mod:`~foretree.runs.export.formats`: ``export``, a run in the format of another tool
- :mod:`~foretree.runs.views.run_state`: ``RunState``, ``replay``, ``replay_ticks``
- :mod:`~foretree.runs.views.why`: ``why``
- :mod:`~foretree.runs.views.terminal`: ``Show``
- :mod:`~foretree.runs.views.tables`: ``runs_table``, ``run_lines``, ``why_page``
"""
