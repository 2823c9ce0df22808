"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

InstructionArgument = Annotated[
    str,
    typer.Argument(
        metavar="INSTRUCTION", help="What the robot is asked for, in plain words.", show_default=False
    ),
]
GoalOption = Annotated[
    str, typer.Option("--goal", "-g", metavar="PDDL", help='A goal instead, e.g. "(on mug1 table2)".')
]
SceneOption = Annotated[
    str,
    typer.Option(
        "--scene", "-s", metavar="SCENE", help="A scene of the embedded household, or a scene file."
    ),
]
HomeOption = Annotated[
    str,
    typer.Option(
        "--home",
        metavar="FAMILY/NUMBER",
        help="A grid home that nobody has told the robot of, e.g. l_kitchen/3; --seed says what is in it. "
        "Takes foretree[homes].",
    ),
]
DomainOption = Annotated[
    Path | None,
    typer.Option("--domain", metavar="FILE", help="A PDDL domain file, with --problem.", show_default=False),
]
ProblemOption = Annotated[
    Path | None,
    typer.Option("--problem", metavar="FILE", help="A PDDL problem file, with --domain.", show_default=False),
]
FaultOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        "-f",
        metavar="WHEN: DEED",
        help='Something to go wrong, e.g. "after 2: move mango1 on table2"; may be given several times.',
        show_default=False,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Any value of a configuration file: agent.tick_hz=20, scene.noise.confusion=0.1, "
        "skill.pick.retries=0; may be given several times.",
        show_default=False,
    ),
]
AgentOption = Annotated[str, typer.Option("--agent", metavar="AGENT", help="The agent's file.")]
GuardsOption = Annotated[
    str | None,
    typer.Option(
        "--guards",
        metavar="NAMES",
        help="Guards to compile in, with commas; none for none.",
        show_default=False,
    ),
]
ReviserOption = Annotated[
    list[str] | None,
    typer.Option(
        "--reviser",
        metavar="NAME",
        help="Who is asked when something is wrong, in this order: rules, llm, planner; with commas or given "
        "several times; none for nobody.",
        show_default=False,
    ),
]


def sensible_speed(speed: float | None) -> float | None:
    """Return a speed with which a run comes to its end while a person lives, or refuse it."""
    if speed is None or speed == 0 or 0.01 <= speed <= 1_000_000:
        return speed
    raise typer.BadParameter(f"{speed:g} is not 0, which does not wait at all, nor from 0.01 to 1000000.")


SpeedOption = Annotated[
    float | None,
    typer.Option(
        "--speed",
        callback=sensible_speed,
        metavar="TIMES",
        help="Times as fast as real time; 0 as fast as it goes. On a terminal 8, else 0.",
        show_default=False,
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="Decides what is left to chance.")]


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
PlainOption = Annotated[bool, typer.Option("--plain", help="Plain lines, as when not on a terminal.")]
