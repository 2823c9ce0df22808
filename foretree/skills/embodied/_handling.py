"""Manipulations of a body: approach the target, act, and look for the effect."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import TypeAlias

import numpy as np

from foretree.perception.frame import Frame, Lens, Mask
from foretree.skills.embodied._approaching import (
    MAYBE,
    SLACK,
    RequiredLook,
    approach,
    class_phrase,
    floor_distance,
    known_pose,
    likeness,
    reach_target,
    recognise,
    with_article,
)
from foretree.skills.embodied._free_space import has_no_room, is_covered, is_large, may_not_fit
from foretree.skills.embodied._looking import see_all_of
from foretree.skills.embodied._walking import (
    AlreadyDone,
    ControlFeedback,
    LooksWrong,
    Routine,
    RoutineFailed,
    cells_to_stand,
    face,
    walk,
)
from foretree.skills.embodied.body import ALREADY, MISHAP, Control, Manipulation
from foretree.skills.embodied.senses import Seen, Senses
from foretree.skills.robot import Order, Target
from foretree.world_model.observation import Detection
from foretree.world_model.occupancy.depth_points import rays_of

#: How often something is tried that goes wrong, or after which everything looks as before.
_TRIES = 3
#: So many sides of something are tried until one sees into it.
_SIDES = 3
#: Two crops differ if their pixels do by so much on average, of 255; two depths, by this share.
_CROP, _DEPTH = 1.5, 0.05
#: So many pixels must be nearer or farther than before.
_PIXELS = 3
#: What is so far behind the nearest that is seen of a thing, so far below its top, and so far from its sides,
#: is within it (metres).
_BEHIND, _BELOW, _WITHIN = 0.1, 0.08, 0.05
#: One sees into a thing if at least this share of what one sees of it is within it.
_SHARE = 0.08

#: Looks at a thing; gives what it is in the last frame.
_Look: TypeAlias = Generator[Control, ControlFeedback, Seen]
#: Whether a manipulation has worked, by the frames before and after it and the mask in the first.
_Works: TypeAlias = Callable[[Frame, Frame, Mask], bool]


def _move(senses: Senses, order: Order) -> Routine:
    yield from approach(senses, order.targets["to"])


def _pick(senses: Senses, order: Order) -> Routine:
    _need_free_hand(senses)
    item, place = order.targets["item"], order.targets.get("place")
    if item.pose is None and place is not None:
        # Its pose is unknown. It is seen from the place, and the order can be given again.
        yield from approach(senses, place)
    yield from _manipulate(senses, "pick_up", item, _is_held, within=place)


def _place(relation: str, senses: Senses, order: Order) -> Routine:
    _need_held(senses)
    place = order.targets["place"]

    def check(seen: Seen) -> _Look:
        size = senses.held_size
        if size is not None and is_large(size):
            return (yield from _find_room(senses, place, seen, size))
        if size is not None and has_no_room(senses.sight, seen.detection.id, size):
            raise _no_room(place)
        return seen

    is_on = relation == "on"
    yield from _manipulate(
        senses, "put", place, _has_left, relation=relation, closely=is_on, check=check if is_on else None
    )


def _find_room(senses: Senses, place: Target, seen: Seen, size: tuple[float, float]) -> _Look:
    """Look at the top of something, from aside too if need be, until one sees room for something large.

    Raises:
        RoutineFailed: there is no room, as far as one can see.
    """
    here = senses.cell
    if not is_covered(senses.sight, seen.detection.id):
        yield from see_all_of(senses, place)
        seen = recognise(place, senses.seen()) or seen
    if not may_not_fit(tuple(senses.sights), seen.detection.id, size):
        return seen
    try:
        yield from walk(
            senses, cells_to_stand(senses, place, but={here}), f"the {class_phrase(place.classes)}"
        )
    except RoutineFailed:
        raise _no_room(place) from None
    yield from face(senses, known_pose(place))
    again = recognise(place, senses.seen())
    if (
        again is None
        or floor_distance(senses, again) > senses.reach - SLACK
        or may_not_fit(tuple(senses.sights), again.detection.id, size)
    ):
        raise _no_room(place)
    return again


def _no_room(place: Target) -> RoutineFailed:
    return RoutineFailed(f"there is no room on the {class_phrase(place.classes)}")


def _switch(name: Manipulation, senses: Senses, order: Order) -> Routine:
    """Open or close something, or turn it on or off. What is so already need not be made so."""
    _need_free_hand(senses)
    try:
        yield from _manipulate(senses, name, order.targets["place"], _differs)
    except RoutineFailed as unable:
        if not str(unable).endswith(ALREADY):
            raise
        raise AlreadyDone(str(unable)) from None


def _open(senses: Senses, order: Order) -> Routine:
    """Open something, and go where one sees into it, which tells where its front is."""
    already: AlreadyDone | None = None
    try:
        yield from _switch("open", senses, order)
    except AlreadyDone as found:
        already = found
    yield from _see_into(senses, order.targets["place"])
    if already is not None:
        raise already


def _see_into(senses: Senses, place: Target) -> Routine:
    """Go where one sees into something that is open, if there is such a place."""
    pose = known_pose(place)
    for _ in range(_SIDES):
        seen = recognise(place, senses.seen())
        if seen is not None and _sees_into(senses.frame, senses.lens, seen.mask):
            senses.note_front(pose)
        if place.extent is None or senses.heading_to_front(pose) is not None:
            return
        try:
            yield from walk(
                senses, cells_to_stand(senses, place, but_heading=senses.stance.heading), "its front"
            )
        except RoutineFailed:
            return
        yield from face(senses, pose)


def _use_held(
    name: Manipulation, on: str, senses: Senses, order: Order, *, tool: str = "", shows: bool = True
) -> Routine:
    """Do something to a thing with what is held; where that cannot be undone, it has to be the *tool*."""
    held = _need_held(senses)
    if tool and senses.careful:
        wanted = order.targets[tool].classes
        if likeness(wanted, held.classes) < MAYBE:
            looks = f"looks like {with_article(held.classes)}, not like {with_article(wanted)}"
            raise LooksWrong(f"what is in the hand {looks}")
    plainly = bool(tool)
    yield from _manipulate(
        senses, name, order.targets[on], _differs, plainly=plainly, closely=plainly, shows=shows
    )


#: How each skill is carried out.
HANDLING: Mapping[str, Callable[[Senses, Order], Routine]] = {
    "move": _move,
    "pick": _pick,
    "place_on": partial(_place, "on"),
    "place_in": partial(_place, "in"),
    "place_under": partial(_place, "under"),
    "open": _open,
    "close": partial(_switch, "close"),
    "turn_on": partial(_switch, "toggle_on"),
    "turn_off": partial(_switch, "toggle_off"),
    # What was clean before looks no different afterwards.
    "clean": partial(_use_held, "clean", "place", shows=False),
    "fill": partial(_use_held, "fill", "place"),
    "cut": partial(_use_held, "slice", "item", tool="tool"),
    "pour": partial(_use_held, "pour", "target", tool="item"),
}


def _manipulate(
    senses: Senses,
    name: Manipulation,
    target: Target,
    works: _Works,
    *,
    within: Target | None = None,
    relation: str = "",
    plainly: bool = False,
    closely: bool = False,
    shows: bool = True,
    check: Callable[[Seen], _Look] | None = None,
) -> Routine:
    """Get at a thing and do something with it, again if it has not worked.

    Args:
        senses: what is known.
        name: what to do.
        target: what with.
        works: whether it has worked.
        within: the furniture that the thing is in or on, if it is known.
        relation: how, if there are several ways.
        plainly: whether the thing must plainly look as it should: for what cannot be undone.
        closely: whether to look at it from where one sees it best.
        shows: whether one always sees that it has worked.
        check: looks closer at it, and raises RoutineFailed if what is seen speaks against it.
    """
    looks = RequiredLook.ANY if not senses.careful else RequiredLook.PLAIN if plainly else RequiredLook.LIKELY
    for _ in range(_TRIES):
        seen = yield from reach_target(senses, target, within, looks, closely)
        if check is not None:
            seen = yield from check(seen)
        before = senses.frame
        felt = yield Control(name, seen.mask.label, relation)
        if felt.ok and works(before, senses.frame, seen.mask):
            return
        if not felt.ok and felt.message != MISHAP:
            raise RoutineFailed(felt.message)
    if not felt.ok or shows:
        raise RoutineFailed(felt.message or "everything looks as it did before")


def _is_held(before: Frame, after: Frame, mask: Mask) -> bool:
    return after.held is not None


def _has_left(before: Frame, after: Frame, mask: Mask) -> bool:
    return after.held is None


def _need_free_hand(senses: Senses) -> None:
    held = senses.held()
    if held is not None:
        raise RoutineFailed(f"the hand is full: it holds {with_article(held.classes)}")


def _need_held(senses: Senses) -> Detection:
    held = senses.held()
    if held is None:
        raise RoutineFailed("there is nothing in the hand")
    return held


# -- what frames show ---------------------------------------------------------------------------------


def _differs(before: Frame, after: Frame, mask: Mask) -> bool:
    """Return whether a thing, or what is held, looks different than before.

    Two frames from the same place are the same, noise included, where nothing has changed. So any difference
    is an effect; it is not told which one.

    Args:
        before: what was seen.
        after: what is seen now, from the same place.
        mask: the thing, in the frame before.
    """
    if before.held is None or after.held is None:
        if before.held is not after.held:
            return True
    elif _differ(before.held, after.held):
        return True
    shown = before.labels == mask.label
    now = after.labels[shown]
    if not len(now):
        return False
    was, is_now = before.depth[shown], after.depth[shown]
    both = np.isfinite(was) & np.isfinite(is_now)
    moved = both & (np.abs(np.where(both, was - is_now, 0)) > _DEPTH * np.where(both, was, 1))
    if np.count_nonzero(moved) >= _PIXELS:
        return True
    label = int(np.bincount(now).argmax())
    there = next((other for other in after.masks if other.label == label), None)
    return there is None or _differ(mask, there)


def _differ(one: Mask, other: Mask) -> bool:
    apart = np.abs(one.crop.astype(np.int16) - other.crop.astype(np.int16))
    return float(apart.mean()) > _CROP


def _sees_into(frame: Frame, lens: Lens, mask: Mask) -> bool:
    """Return whether a frame shows the inside of a thing: from before its front, and only of an open one."""
    rows, columns = np.nonzero((frame.labels == mask.label) & np.isfinite(frame.depth))
    if not len(rows):
        return False
    rays = rays_of(lens, frame.stance.pitch)
    depth = frame.depth[rows, columns]
    ahead, left, up = depth * rays.ahead[rows], depth * rays.left[columns], depth * rays.up[rows]
    near, right_end, left_end = np.percentile(ahead, 5), np.percentile(left, 5), np.percentile(left, 95)
    within = (
        (ahead > near + _BEHIND)
        & (up < up.max() - _BELOW)
        & (left > right_end + _WITHIN)
        & (left < left_end - _WITHIN)
    )
    return bool(within.mean() >= _SHARE)
