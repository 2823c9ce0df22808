"""Commands about robots."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from foretree.cli._commands import CommandGroup
from foretree.cli._terminal import say

PANEL = "Robots"

commands = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Look at robots that are reached through ROS 2.",
)


@commands.callback()
def _group() -> None:
    """Keep this a group, however few commands there are."""


@commands.command("check")
def check_robot(
    name: Annotated[
        str, typer.Argument(metavar="FILE", help="The robot file, or the name of one.", show_default=False)
    ],
    wait: Annotated[
        float, typer.Option("--wait", min=0.0, max=600.0, help="Seconds to wait for its servers.")
    ] = 5.0,
) -> None:
    """Check a robot file, and whether the robot offers what it names. Nothing moves.

    Examples:

    foretree robot check mobile_manipulator

    foretree robot check my_robot.yaml --wait 30
    """
    from foretree.robots.ros.inspection import inspect_robot
    from foretree.robots.ros.node import SpinningNode
    from foretree.robots.ros.rclpy_link import RclpyLink
    from foretree.robots.ros.robot_file import load_robot_file

    file = load_robot_file(name)
    skills = ", ".join(skill if skill != "*" else "all others" for skill in file.skills)
    say(f"{file.robot}: the file makes sense. Skills: {skills}.")
    with SpinningNode("foretree_check") as spinning:
        link, end = RclpyLink(spinning.node), time.monotonic() + wait
        while not all(each.is_there for each in inspect_robot(file, link, types=False)):
            if time.monotonic() >= end:
                break
            time.sleep(0.1)
        found = list(dict.fromkeys(inspect_robot(file, link)))
    width = max((len(each.use) for each in found), default=0)
    for each in found:
        state = each.mismatch or "fits its type"
        say(f"  {each.use:{width}}  {each.interface}: {state}{'' if each.is_there else '; no server'}")
    if code := [use for use, entry in file.entries() if entry.executor]:
        say(f"  Not looked at, since a class carries it out: {', '.join(code)}.")
    wrong = sum(bool(each.mismatch) for each in found)
    absent = sum(not each.is_there for each in found)
    if wrong or absent:
        say(f"{wrong} do not fit their types, {absent} have no server.")
        raise typer.Exit(4)
    say("The robot offers all that the file names." if found else "The file names nothing else.")
