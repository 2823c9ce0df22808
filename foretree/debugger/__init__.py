"""Watch a run live or replay it, in the browser: a thin server, a self-contained page, and the front-end.

The front-end is in ``web/`` of the checkout; its bundle is in ``static/``. It adds the events of a run up by
itself, so that the same page works from a server and from a file. Nothing here writes to a run: what a viewer
asks of a session goes through the requests that the command line uses, too.
"""
