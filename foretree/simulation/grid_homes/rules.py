"""Rules of grid homes: the effects of each control, and the reasons for which it is refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, TypeAlias

from foretree.simulation.grid_homes._object_classes import Relation
from foretree.simulation.grid_homes._physics import (
    STEPS,
    WALKING,
    cut,
    empty_out,
    faces,
    fill_with,
    move,
    settle,
)
from foretree.simulation.grid_homes.disturbances import UNDISTURBED, Disturbances
from foretree.simulation.grid_homes.event_log import (
    Disturbance,
    EffectKind,
    HomeLog,
    IrreversibleEffect,
    Pickup,
    RefusedControl,
    Rule,
)
from foretree.simulation.grid_homes.home import Home, HomeObject, Placement, whole_size
from foretree.simulation.grid_homes.layouts.geometry import Extent, centre_of
from foretree.skills.embodied.body import MISHAP, MOTIONS, Control

#: The reach of the robot from its foot point, and the height at which it prefers to put objects (metres).
REACH = 1.5
HANDY = 0.9
#: The height of a pile, in objects, on which nothing more stays.
_PILE = 3
#: The height of shards, as a share of that of what broke.
_SHARDS = 0.3


class ControlResult(NamedTuple):
    """The result of a control: carried out, or the reason why not."""

    ok: bool
    message: str = ""


class _Refused(Exception):  # noqa: N818 - not an error: a precondition that does not hold
    def __init__(self, rule: Rule, why: str, involved: tuple[str, ...]) -> None:
        super().__init__(why)
        self.rule, self.why, self.involved = rule, why, involved


class _Effect(NamedTuple):
    """A change by a control; if it is irreversible, its kind, its object, and what else it takes."""

    do: Callable[[], None]
    kind: EffectKind | None = None
    to: HomeObject | None = None
    involved: tuple[str, ...] = ()


_Prepare: TypeAlias = Callable[["HomeRules", HomeObject, str], _Effect]


class HomeRules:
    """Rules by which a robot changes a home.

    Attributes:
        home: the true state.
        log: the events so far.
        step: the number of controls so far.
    """

    def __init__(self, home: Home, disturbances: Disturbances | None = None) -> None:
        self.home = home
        self.log = HomeLog()
        self.step = 0
        self._disturbances = disturbances or Disturbances(0, UNDISTURBED)
        self._walking = False
        self._lamps = [thing for thing in home.furniture() if thing.can("shines")]
        settle(home)

    def do(
        self, control: Control, target: str | None = None, in_view: Collection[str] | None = None
    ) -> ControlResult:
        """Carry out a control, or refuse it.

        Args:
            control: the control; its mask is ignored.
            target: of a manipulation, the id of the object that the mask shows.
            in_view: the ids of what was in the frame before; None: everything was.
        """
        seen = self.home.things if in_view is None else in_view
        if control.name in MOTIONS:
            answer = self._move(control.name)
        else:
            answer = self._manipulate(control, target, seen)
        self._examine()
        self.step += 1
        return answer

    # -- motions -----------------------------------------------------------------------------------
    def _move(self, name: str) -> ControlResult:
        why = move(self.home, name)
        if why:
            self.log.refused.append(
                RefusedControl(self.step, name, "way-free" if name in STEPS else "limit", (), True)
            )
        if name in STEPS and not why:
            self._walking = True
        elif name not in WALKING:
            self._stop()
        return ControlResult(not why, why)

    def _stop(self) -> None:
        """End a walk: the robot does something else than stepping and turning."""
        if self._walking:
            self._walking = False
            self._let_others_intervene()

    def _let_others_intervene(self) -> None:
        happened = self._disturbances.intervene(self.home)
        if happened is not None:
            what, things = happened
            settle(self.home)
            self.log.disturbances.append(Disturbance(self.step, what, things))

    def _examine(self) -> None:
        """Mark what is held as examined if the robot faces a lamp that shines within reach."""
        home = self.home
        if home.held is None:
            return
        held = home.things[home.held]
        if "examined" in held.states:
            return
        for lamp in self._lamps:
            if "turned_on" in lamp.states and home.distance(lamp) <= REACH and faces(home, lamp):
                home.set_state(held, "examined")

    # -- manipulations -----------------------------------------------------------------------------
    def _manipulate(self, control: Control, target: str | None, seen: Collection[str]) -> ControlResult:
        self._stop()
        name = control.name
        try:
            thing = self._at_hand(target)
            effect = _PREPARE[name](self, thing, control.relation)
        except _Refused as refused:
            in_view = all(one in seen or one == self.home.held for one in refused.involved)
            self.log.refused.append(RefusedControl(self.step, name, refused.rule, refused.involved, in_view))
            return ControlResult(False, refused.why)
        manner = self._disturbances.next_outcome()
        if manner == "well":
            effect.do()
            settle(self.home)
            self._note(name, effect, seen)
        else:
            what = f"{name} {'failed' if manner == 'fail' else 'did nothing'}"
            self.log.disturbances.append(Disturbance(self.step, what, (thing.id,)))
        self._let_others_intervene()
        return ControlResult(False, MISHAP) if manner == "fail" else ControlResult(True)

    def _note(self, name: str, effect: _Effect, seen: Collection[str]) -> None:
        if name == "pick_up" and effect.to is not None:
            self.log.pickups.append(Pickup(self.step, effect.to.id, effect.to.class_name))
        if effect.kind is not None and effect.to is not None:
            in_view = all(one in seen or one == self.home.held for one in (effect.to.id, *effect.involved))
            self.log.irreversible.append(
                IrreversibleEffect(
                    self.step, name, effect.kind, effect.to.id, effect.to.class_name, effect.involved, in_view
                )
            )

    def _at_hand(self, target: str | None) -> HomeObject:
        thing = self.home.things.get(target) if target is not None else None
        if thing is None:
            raise _Refused("target", "there is nothing there", ())
        _require(self.home.distance(thing) <= REACH, "within-reach", "it is too far away", thing)
        lid = self.home.lid_above(thing)
        if lid is not None:
            raise _Refused("container-open", "it is in something that is closed", (lid.id,))
        return thing

    def _held(self) -> HomeObject:
        if self.home.held is None:
            raise _Refused("holding", "there is nothing in the hand", ())
        return self.home.things[self.home.held]

    def _hand_free(self) -> None:
        held = self.home.held
        if held is not None:
            raise _Refused("hand-free", "the hand is full", (held,))

    def _pick_up(self, thing: HomeObject, relation: str) -> _Effect:
        self._hand_free()
        _require(not thing.is_furniture, "movable", "it is too heavy", thing)
        _require("broken" not in thing.states, "whole", "it is in pieces", thing)
        return _Effect(lambda: self.home.grasp(thing), to=thing)

    def _put(self, support: HomeObject, relation: str) -> _Effect:
        home, held = self.home, self._held()
        _require(not home.is_held(support), "apart", "one cannot put a thing on itself", support)
        if support.piece is None and not support.object_class.relations:
            return self._topples(held, support, "stable", "nothing stays on it")
        if sum(1 for _ in home.supports_of(support)) > _PILE:
            return self._topples(held, support, "stable", "the pile is too high")
        how = next((one for one in support.object_class.relations if relation in ("", one)), None)
        if how is None:
            raise _Refused("affords", f"nothing can be put {relation or 'on'} it", (support.id,))
        if how == support.object_class.relations[0]:  # the inside of what has one; it is what a lid closes
            _require(support.is_open, "container-open", "it is closed", support)
        spot = self.room_for(held, support, how)
        if spot is None:
            return self._topples(
                held, support, "room", f"there is no room {how} it", Placement(how, support.id)
            )
        return _Effect(lambda: home.put(held, Placement(how, support.id), spot))

    def _topples(
        self, held: HomeObject, support: HomeObject, rule: Rule, why: str, rests: Placement | None = None
    ) -> _Effect:
        """The effect of putting a fragile object where it does not stay: it breaks. Others are refused.

        The shards lie where it was put on furniture, and beside the item that it fell from.
        """
        _require(held.can("fragile"), rule, why, support)
        home = self.home
        beside = support.rests if support.piece is None else rests
        assert beside is not None

        def fall() -> None:
            x, y = _middle(support)
            w, d, h = (b - a for a, b in zip(held.extent[:3], held.extent[3:], strict=True))
            z = support.extent[5]
            home.put(held, beside, (x - w / 2, y - d / 2, z, x + w / 2, y + d / 2, z + _SHARDS * h))
            empty_out(home, held)
            home.set_state(held, "broken")

        return _Effect(fall, "break", held, (support.id, *support.load))

    def room_for(self, item: HomeObject, support: HomeObject, relation: Relation) -> Extent | None:
        """The extent of an item if the robot put it there now; None if there is no room."""
        home = self.home
        wide, deep, high = whole_size(item, is_bare=not item.load)
        loads = (one.extent[5] - item.extent[2] for one in home.loads_of(item))
        size = wide, deep, max((high, *loads))
        spot = home.spot(size, support, relation, _before(home, support), turned=not item.load)
        if spot is None or not item.load:
            return spot
        return (*spot[:5], spot[2] + high)

    def _open(self, thing: HomeObject, relation: str) -> _Effect:
        self._hand_free()
        _require(thing.can("openable"), "openable", "it does not open", thing)
        _require("open" not in thing.states, "closed", "it is open already", thing)
        _require("turned_on" not in thing.states, "switched-off", "it is running: switch it off first", thing)
        return _Effect(lambda: self.home.set_state(thing, "open"))

    def _close(self, thing: HomeObject, relation: str) -> _Effect:
        self._hand_free()
        _require(thing.can("openable"), "openable", "it does not close", thing)
        _require("open" in thing.states, "opened", "it is closed already", thing)
        return _Effect(lambda: self.home.set_state(thing, "open", False))

    def _toggle_on(self, thing: HomeObject, relation: str) -> _Effect:
        self._hand_free()
        _require(thing.can("switchable"), "switchable", "it has no switch", thing)
        _require("broken" not in thing.states, "whole", "it is broken", thing)
        _require("turned_on" not in thing.states, "switched-off", "it is on already", thing)
        _require("open" not in thing.states, "closed", "it has to be closed first", thing)
        if thing.can("heats"):
            sparks = [
                i for i in thing.load if self.home.things[i].object_class.traits & {"metal", "electronic"}
            ]
            if sparks:
                return _Effect(lambda: self._spark(thing, sparks), "ruin", thing, tuple(sparks))
        return _Effect(lambda: self.home.set_state(thing, "turned_on"))

    def _spark(self, thing: HomeObject, sparks: list[str]) -> None:
        self.home.set_state(thing, "broken")
        for one in sparks:
            if self.home.things[one].can("electronic"):
                self.home.set_state(self.home.things[one], "broken")

    def _toggle_off(self, thing: HomeObject, relation: str) -> _Effect:
        self._hand_free()
        _require(thing.can("switchable"), "switchable", "it has no switch", thing)
        _require("turned_on" in thing.states, "switched-on", "it is off already", thing)
        return _Effect(lambda: self.home.set_state(thing, "turned_on", False))

    def _slice(self, thing: HomeObject, relation: str) -> _Effect:
        knife = self._held()
        _require(knife.can("blade"), "blade", "one cannot cut with what is in the hand", knife)
        _require(thing.object_class.slices is not None, "sliceable", "it cannot be sliced", thing)
        _require("sliced" not in thing.states, "uncut", "it is sliced already", thing)
        return _Effect(lambda: cut(self.home, thing), "slice", thing, (knife.id,))

    def _pour(self, thing: HomeObject, relation: str) -> _Effect:
        home, vessel = self.home, self._held()
        _require(
            "filled" in vessel.states, "filled", "there is nothing to pour in what is in the hand", vessel
        )
        _require(not home.is_held(thing), "apart", "one cannot pour a thing into itself", thing)
        if thing.can("drain"):
            return _Effect(lambda: empty_out(home, vessel), "pour", thing, (vessel.id,))
        if thing.can("soil"):
            waters = "has_water" in vessel.states

            def water() -> None:
                empty_out(home, vessel)
                home.set_state(thing, "watered", waters or "watered" in thing.states)

            return _Effect(water, "pour" if waters else "spill", thing, (vessel.id,))
        if thing.can("vessel"):
            _require("filled" not in thing.states, "empty", "it is full already", thing)

            def transfer() -> None:
                fill_with(home, thing, "has_coffee" if "has_coffee" in vessel.states else "has_water")
                empty_out(home, vessel)

            return _Effect(transfer, "pour", thing, (vessel.id,))

        def spill() -> None:
            empty_out(home, vessel)
            home.set_state(thing, "clean", False)
            if thing.can("electronic"):
                home.set_state(thing, "turned_on", False)
                home.set_state(thing, "broken")

        return _Effect(spill, "ruin" if thing.can("electronic") else "spill", thing, (vessel.id,))

    def _clean(self, basin: HomeObject, relation: str) -> _Effect:
        home, held = self.home, self._held()
        _require(basin.can("tap"), "tap", "it has no tap", basin)
        if held.can("electronic"):
            return _Effect(lambda: home.set_state(held, "broken"), "ruin", held, (basin.id,))
        _require(held.can("dish"), "washable", "what is in the hand is nothing to wash", held)

        def wash() -> None:
            empty_out(home, held)
            home.set_state(held, "clean")

        return _Effect(wash)

    def _fill(self, basin: HomeObject, relation: str) -> _Effect:
        home, held = self.home, self._held()
        _require(basin.can("tap"), "tap", "it has no tap", basin)
        _require(held.can("vessel"), "vessel", "what is in the hand holds no water", held)
        _require("filled" not in held.states, "empty", "what is in the hand is full already", held)
        return _Effect(lambda: fill_with(home, held, "has_water"))


_PREPARE: Mapping[str, _Prepare] = {
    "pick_up": HomeRules._pick_up,
    "put": HomeRules._put,
    "open": HomeRules._open,
    "close": HomeRules._close,
    "toggle_on": HomeRules._toggle_on,
    "toggle_off": HomeRules._toggle_off,
    "slice": HomeRules._slice,
    "pour": HomeRules._pour,
    "clean": HomeRules._clean,
    "fill": HomeRules._fill,
}


def _require(holds: bool, rule: Rule, why: str, *involved: HomeObject) -> None:
    if not holds:
        raise _Refused(rule, why, tuple(thing.id for thing in involved))


def _middle(thing: HomeObject) -> tuple[float, float]:
    x0, y0, _, x1, y1, _ = thing.extent
    return (x0 + x1) / 2, (y0 + y1) / 2


def _before(home: Home, support: HomeObject) -> tuple[float, float, float]:
    """The preferred point of putting: half-way from the near edge to the middle, at a handy height."""
    x, y = centre_of(home.posture.cell)
    x0, y0, _, x1, y1, _ = support.extent
    return (min(max(x, x0), x1) + (x0 + x1) / 2) / 2, (min(max(y, y0), y1) + (y0 + y1) / 2) / 2, HANDY
