"""Arguments and options that several commands share, and the models that commands take them as."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foretree.cli._commands import OptionGroup
from foretree.errors import ForetreeError, near_miss

if TYPE_CHECKING:
    from foretree.bringup.request import Request
    from foretree.reasoning.dialogs.dialog import Turn
    from foretree.runs.store import Run
    from foretree.runs.views.terminal import Show


class UsageError(ForetreeError):
    """Options that do not go together."""


def sensible_speed(speed: float | None) -> float | None:
    """Return *speed*, or refuse one at which a run would not end in a lifetime."""
    if speed is None or speed == 0 or 0.01 <= speed <= 1_000_000:
        return speed
    raise typer.BadParameter(f"{speed:g} is not 0, which does not wait at all, nor from 0.01 to 1000000.")


SeedOption = Annotated[
    int, typer.Option("--seed", metavar="N", help="The seed of all that is left to chance.")
]


def _complete_run(incomplete: str) -> list[str]:
    from foretree.runs.store import RunStore

    return [name for name in (*RunStore().ids(), "last") if name.startswith(incomplete)]


RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="A run's id, the beginning of one, `last` for the newest, or a run file.",
        autocompletion=_complete_run,
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object per line.")]

SpeedOption = Annotated[
    float | None,
    typer.Option(
        "--speed",
        callback=sensible_speed,
        metavar="TIMES",
        help="Times as fast as real time; 0 for as fast as possible. On a terminal 8, else 0.",
        show_default=False,
    ),
]

#: Times as fast as real time, for people to watch.
_WATCHING_SPEED = 8.0


def pace(speed: float | None, watched: bool) -> float:
    """Return the speed of simulated time: the given one, else one at which people can watch if they do."""
    if speed is not None:
        return speed
    return _WATCHING_SPEED if watched else 0.0


class PlanOptions(OptionGroup):
    """Options for what is to be done, where, and by which agent."""

    instruction: Annotated[
        str,
        typer.Argument(
            metavar="INSTRUCTION", help="What the robot is asked for, in plain words.", show_default=False
        ),
    ] = ""
    goal: Annotated[
        str, typer.Option("--goal", "-g", metavar="PDDL", help='A goal instead, e.g. "(on mug1 table2)".')
    ] = ""
    constraints: Annotated[
        list[str] | None,
        typer.Option(
            "--constraint",
            metavar="PDDL",
            help='What has to hold on the way, e.g. "(always (not (open drawer1)))"; may be given several '
            "times.",
            show_default=False,
        ),
    ] = None
    dialog: Annotated[
        Path | None,
        typer.Option(
            "--dialog",
            metavar="FILE",
            help="A recorded dialog instead, in which one person asks another for something: lines such as "
            '"Commander: Wash the mug.", or JSON.',
            show_default=False,
        ),
    ] = None
    hints: Annotated[
        list[str] | None,
        typer.Option(
            "--hint",
            metavar="WORDS",
            help='What is known of where things are, e.g. "the mug is in the cupboard": looked at first; '
            "may be given several times.",
            show_default=False,
        ),
    ] = None
    scene: Annotated[
        str,
        typer.Option(
            "--scene",
            "-s",
            metavar="SCENE",
            help="A scene of the embedded household (kitchen, flat, studio, office, teatime, two_robots, "
            "hand_to_hand, arm_and_cart, helping_hand), or a scene file.",
        ),
    ] = "kitchen"
    domain: Annotated[
        Path | None,
        typer.Option(
            "--domain", metavar="FILE", help="A PDDL domain file, with --problem.", show_default=False
        ),
    ] = None
    problem: Annotated[
        Path | None,
        typer.Option(
            "--problem", metavar="FILE", help="A PDDL problem file, with --domain.", show_default=False
        ),
    ] = None
    agent: Annotated[str, typer.Option("--agent", metavar="AGENT", help="The agent's file.")] = "default"
    guards: Annotated[
        str | None,
        typer.Option(
            "--guards",
            metavar="NAMES",
            help="Guards to compile in, with commas; none for none.",
            show_default=False,
        ),
    ] = None
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Any value of a configuration file: agent.tick_hz=20, scene.noise.confusion=0.1, "
            "skill.pick.retries=0; may be given several times.",
            show_default=False,
        ),
    ] = None

    optimise: Annotated[
        str | None,
        typer.Option(
            "--optimise",
            metavar="WHAT",
            help="What plans are made by: cost, or success, the probability that all of it succeeds.",
            show_default=False,
        ),
    ] = None

    def request(self) -> Request:
        """Return the request that the options come to.

        Raises:
            UsageError: they do not go together.
        """
        from foretree.bringup.options import Options, Wish
        from foretree.bringup.request import Request

        if (self.domain is None) != (self.problem is None):
            raise UsageError("--domain and --problem go together: a PDDL task is both files.")
        self._check_wish()
        if self.domain is not None and self.scene != "kitchen":
            raise UsageError("--scene is for the household: a PDDL task brings its own world in --problem.")
        overrides, changes = self._settings()
        options = Options(self.agent, overrides, changes=changes)
        dialog: tuple[Turn, ...] = ()
        if self.dialog is not None:
            from foretree.reasoning.dialogs.dialog import read_dialog

            dialog = read_dialog(self.dialog)
        constraints, hints = tuple(self.constraints or ()), tuple(self.hints or ())
        wish = Wish(self.instruction, self.goal, constraints, hints=hints, dialog=dialog)
        return Request(wish, self.scene, options, self.domain, self.problem)

    def _check_wish(self) -> None:
        """Refuse options that do not say in one way what is to be done."""
        asked = [
            bool(self.instruction.strip()),
            bool(self.goal.strip()),
            self.domain is not None,
            self.dialog is not None,
        ]
        if sum(asked) != 1:
            raise UsageError(
                "Say what is to be done, in one way: an instruction in quotes, --goal, --dialog, or --domain "
                'with --problem. For example: foretree run "put the mango into the fridge".'
            )

    def _settings(self) -> tuple[dict[str, str], dict[str, str]]:
        """Settings of the agent by name, and changes to the scene and to skills by key."""
        overrides, changes = {}, {}
        for setting in self.settings or ():
            key, equals, value = setting.partition("=")
            file = key.partition(".")[0]
            if not equals or file not in ("agent", "scene", "skill") or file == key:
                near = near_miss(file, ("agent", "scene", "skill"))
                raise UsageError(
                    f"--set {setting}: {near and near + ' '}write agent.KEY=VALUE, scene.KEY=VALUE or "
                    "skill.NAME.KEY=VALUE, for example agent.tick_hz=20, scene.noise.confusion=0.1 or "
                    "skill.pick.retries=0."
                )
            if file == "agent":
                overrides[key.removeprefix("agent.")] = value
            else:
                changes[key] = value
        if self.guards is not None:
            overrides["guards"] = self.guards
        if self.optimise is not None:
            overrides["optimise"] = self.optimise
        return overrides, changes


class RunOptions(PlanOptions):
    """The same for what is carried out: also in homes, and with what goes wrong."""

    home: Annotated[
        str,
        typer.Option(
            "--home",
            metavar="FAMILY/NUMBER",
            help="A grid home that is unknown to the robot, e.g. l_kitchen/3; --seed decides what is in it. "
            "Takes foretree[homes].",
        ),
    ] = ""
    fault: Annotated[
        list[str] | None,
        typer.Option(
            "--fault",
            "-f",
            metavar="WHEN: DEED",
            help='A fault to inject, e.g. "after 2: move mango1 on table2"; may be given several times.',
            show_default=False,
        ),
    ] = None
    reviser: Annotated[
        list[str] | None,
        typer.Option(
            "--reviser",
            metavar="NAME",
            help="Revisers to ask when something is wrong, in this order: rules, llm, planner; with commas "
            "or given several times; none for none.",
            show_default=False,
        ),
    ] = None
    seed: SeedOption = 0

    @property
    def title(self) -> str:
        """The text that the run is named after."""
        file = self.problem or self.dialog
        return self.instruction or self.goal or (file.name if file else "")

    @property
    def place(self) -> str:
        """The scene or the home, for the run's record."""
        return self.home or (self.scene if self.problem is None else "")

    def request(self) -> Request:
        """Return the request that the options come to.

        Raises:
            UsageError: they do not go together.
        """
        request = super().request()
        if self.home and (self.domain is not None or self.scene != "kitchen"):
            raise UsageError("--home is a world of its own: it goes with neither --scene nor --domain.")
        faults = tuple(self.fault) if self.fault else None
        request = replace(
            request, home=self.home, options=replace(request.options, faults=faults, seed=self.seed)
        )
        return request.with_overrides(revisers=",".join(self.reviser)) if self.reviser else request


class TalkOptions(RunOptions):
    """The same for a talk, in which it is said later what is to be done."""

    left_out = ("instruction", "goal", "domain", "problem", "dialog")

    def _check_wish(self) -> None:
        pass


class ViewOptions(OptionGroup):
    """The form in which a run is shown."""

    json: JsonOption = False
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, as when not on a terminal.")] = False

    def view(self, run: Run) -> Show:
        """Return a view of a run in the form that the options ask for."""
        from foretree.cli._terminal import new_console
        from foretree.runs.views.terminal import Show

        return Show("json" if self.json else "plain" if self.plain else "auto", new_console(), run.id)


class PaceOptions(ViewOptions):
    """The same for a run that is carried out, and how fast that is."""

    speed: SpeedOption = None

    def pace(self, view: Show) -> float:
        """Return the speed of simulated time: one at which people can watch where they do."""
        return pace(self.speed, view.mode == "live")


class FilmOptions(OptionGroup):
    """Options for an animation of a run."""

    film: Annotated[
        Path | None,
        typer.Option(
            "--film",
            metavar="FILE",
            help="Write an animation instead: a .gif, or an .mp4, which takes ffmpeg or foretree[film].",
            show_default=False,
        ),
    ] = None
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed",
            metavar="TIMES",
            callback=sensible_speed,
            help="Times as fast as it was, for the film. By default, a run takes at most some ten seconds.",
            show_default=False,
        ),
    ] = None
    width: Annotated[
        int | None,
        typer.Option(
            "--width", metavar="PIXELS", help="The width of the film; 800 by default.", show_default=False
        ),
    ] = None

    def refuse(self) -> None:
        """Refuse options for a film where none is asked for.

        Raises:
            UsageError: there are such options.
        """
        if self.speed is not None or self.width is not None:
            raise UsageError("--speed and --width are for films: say where to write one with --film FILE.")

    def write(self, run: Run, file: Path, tick: int | None) -> None:
        """Write the film of a run, up to the end of a tick if one is given."""
        from foretree.cli._terminal import say
        from foretree.pictures.films.film import WIDTH, write_film
        from foretree.runs.reader import events

        if self.speed == 0:
            raise UsageError("A film needs a --speed above 0.")
        width = WIDTH if self.width is None else self.width
        film = write_film(events(run), file, speed=self.speed, width=width, until=tick)
        say(f"Wrote {file}: {film.seconds:.1f} s, {film.frames} pictures, {film.size / 1000:.0f} kB.")
