"""Garbage collections, and large plans that would make them long.

A plan of ten thousand actions is close to a million objects, and none of them is garbage as long as it is
carried out. To look through all of them takes the collector a third of a second: as long as all that is
computed for a revision, and in the middle of whichever tick it comes. So what is there is put aside while a
large plan is carried out, and what is made for one is put aside, too, instead of being looked through.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: What is about fewer actions is no burden to the collector.
_LARGE = 1000


class HeapFreeze:
    """Puts all that is there aside for a while. What of it becomes garbage is collected afterwards.

    Whatever others have frozen by themselves takes part again, once the last of these has ended.
    """

    _open = 0

    def __init__(self) -> None:
        self._begun = False

    def begin(self, size: int) -> None:
        """From here on, if it is for about so many actions that it is worth it."""
        if not self._begun and size >= _LARGE and gc.isenabled():
            self._begun = True
            HeapFreeze._open += 1
            gc.freeze()

    def end(self) -> None:
        """Up to here, if it has begun."""
        if self._begun:
            self._begun = False
            HeapFreeze._open -= 1
            if not HeapFreeze._open:
                gc.unfreeze()

    @classmethod
    def is_open(cls) -> bool:
        """Whether anything is put aside for anybody."""
        return cls._open > 0


@contextmanager
def gc_paused(size: int) -> Iterator[None]:
    """While the body makes what is there to stay, do without garbage collections, if that is much.

    Afterwards it counts as old: that it is no garbage needs no looking through.

    Args:
        size: about how many actions it is.
    """
    if size < _LARGE or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if HeapFreeze.is_open():
            gc.freeze()
        elif not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.enable()
