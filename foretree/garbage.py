"""Garbage collection, which large plans would make slow.

A plan of ten thousand actions is close to a million objects, and none of them is garbage as long as it is
carried out. To look through all of them takes the collector a third of a second: as long as all that is
computed for a revision, and in the middle of whichever tick it comes. So what is there is put aside while a
large plan is carried out, and what is made for one is put aside, too, instead of being looked through.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

#: Plans of fewer actions are no burden to the collector.
_LARGE = 1000


class HeapFreeze:
    """Keeps all present objects from garbage collection for a while, with ``gc.freeze``.

    Objects that were frozen elsewhere take part again, once the last of these has ended.
    """

    _open = 0
    #: Whether what is there while none of these is open stays aside as well.
    _settled = False

    def __init__(self) -> None:
        self._begun = False

    def begin(self, size: int) -> None:
        """Freeze, if the plan has about so many actions that it is worth it."""
        if not self._begun and size >= _LARGE and gc.isenabled():
            self._begun = True
            HeapFreeze._open += 1
            gc.freeze()

    def end(self) -> None:
        """Unfreeze, if it was begun."""
        if self._begun:
            self._begun = False
            HeapFreeze._open -= 1
            if not HeapFreeze._open:
                gc.unfreeze()
                if HeapFreeze._settled:
                    HeapFreeze.settle()

    @classmethod
    def settle(cls) -> None:
        """Put aside all that is there now, for good: modules, and what a process has built to work with.

        To look through that takes a full collection longer than a tick may take.
        """
        cls._settled = True
        gc.collect()
        gc.freeze()

    @classmethod
    def is_open(cls) -> bool:
        """Tell whether anything is frozen."""
        return cls._open > 0


@contextmanager
def gc_put_off() -> Iterator[None]:
    """Put garbage collection off until the body has ended, which makes few objects that stay.

    A full collection in the middle of something short takes longer than that itself.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def gc_paused(size: int) -> Iterator[None]:
    """Pause garbage collection while the body makes many objects that stay.

    Afterwards they count as old, so that they are not looked through at once.

    Args:
        size: about how many actions it is.
    """
    if size < _LARGE or not gc.isenabled():
        yield
        return
    with gc_put_off():
        try:
            yield
        finally:
            if HeapFreeze.is_open():
                gc.freeze()
            elif not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
