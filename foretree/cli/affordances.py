"""Commands about affordances: what objects let the robot do with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foretree.cli._commands import CommandGroup
from foretree.cli._options import JsonOption, UsageError
from foretree.cli._terminal import say
from foretree.printable import quote

if TYPE_CHECKING:
    from foretree.world_model.affordances.evaluation import AffordanceEvaluation, Agreement
    from foretree.world_model.affordances.placement import Placer

PANEL = "Affordances"

commands = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="Show, correct and evaluate what objects let the robot do with them.",
)

#: Affordances less likely than this are not worth a word; at most so many of the unlikely get one.
_WORTH_A_WORD, _MOST_UNLIKELY = 0.1, 6

_Threshold = Annotated[
    float,
    typer.Option("--threshold", metavar="P", min=0.0, max=1.0, help="The least probability that counts."),
]


@commands.command("show")
def show_affordances(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A class of objects, or any name of one.", show_default=False),
    ],
    json: JsonOption = False,
) -> None:
    """Show what an object affords, by its name, and how a name that is not listed was placed.

    Examples:

    foretree affordances show mug

    foretree affordances show "espresso cup" --json
    """
    from foretree.runs.encoding import canonical
    from foretree.world_model.affordances.mapping import LIKELY

    placer = _placer(learned=True)
    place = placer.place(name)
    if not place.classes:
        hint = placer.near_names(name) or "Say what kind of object it is."
        raise UsageError(f"There is no class {quote(name)}, and {place.reason}. {hint}")
    rated = {known: placer.probability(name, known) for known in placer.mapping.affordances}
    ranked = sorted(rated, key=lambda known: -rated[known])
    if json:
        placed = {"classes": dict(place.classes), "confidence": place.confidence, "placed": place.reason}
        shown = {known: round(rated[known], 4) for known in ranked}
        typer.echo(canonical({"name": name, **placed, "states": list(place.states), "affordances": shown}))
        return
    states = f", {' and '.join(place.states)}" if place.states else ""
    say(f"{name}: {place.reason}{states} (confidence {place.confidence:.0%}).")
    for known in ranked:
        if rated[known] >= LIKELY:
            typer.echo(f"{rated[known]:5.0%}  {known:<16}  {placer.mapping.affordances[known].means}")
    unlikely = [known for known in ranked if _WORTH_A_WORD <= rated[known] < LIKELY]
    if unlikely:
        listed = ", ".join(f"{known} {rated[known]:.0%}" for known in unlikely[:_MOST_UNLIKELY])
        say(f"Less likely: {listed}.")


@commands.command("tell")
def tell_affordance(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A class, or another word for it.", show_default=False)
    ],
    affordance: Annotated[
        str, typer.Argument(metavar="AFFORDANCE", help="What it lets the robot do.", show_default=False)
    ],
    holds: Annotated[
        bool, typer.Option("--yes/--no", help="Whether such objects have the affordance.")
    ] = True,
) -> None:
    """Say that objects of a class have an affordance, or do not have it; later commands know.

    Example: foretree affordances tell mug push --no
    """
    from foretree.world_model.affordances.evidence_file import add_evidence, own_evidence_path
    from foretree.world_model.affordances.mapping import told

    placer = _placer(learned=True)
    known = placer.mapping.checked(affordance)
    place = placer.place(name)
    if place.confidence < 1.0 or place.states:
        hint = placer.near_names(name) or "Only classes that the mapping lists can be corrected."
        raise UsageError(f"There is no class {quote(name)}. {hint}")
    (meant,) = place.classes
    before = placer.probability(meant, known)
    word = told(holds)
    placer.mapping.learn(meant, known, word)
    add_evidence(own_evidence_path(), {(meant, known): word})
    say(f"{meant}: {known} was {before:.0%} likely, and is {placer.probability(meant, known):.0%} now.")


@commands.command("which")
def which_afford(
    affords: Annotated[
        str,
        typer.Option(
            "--affords", metavar="NAMES", help="Affordances, with commas; all are needed.", show_default=False
        ),
    ],
    scene: Annotated[str, typer.Option("--scene", "-s", metavar="SCENE", help="A scene, or a scene file.")],
    threshold: _Threshold = 0.5,
    json: JsonOption = False,
) -> None:
    """List the things in a scene that are likely to have some affordances, the likeliest first.

    Examples:

    foretree affordances which --affords cut --scene kitchen

    foretree affordances which --affords grasp,liquid-contain --scene office --threshold 0.8
    """
    from foretree.config import find_config
    from foretree.runs.encoding import canonical
    from foretree.simulation.household.scene_file import load_scene

    placer = _placer(learned=True)
    needed = [placer.mapping.checked(known) for known in affords.split(",") if known.strip()]
    if not needed:
        raise UsageError("Name at least one affordance, for example --affords cut.")
    things = load_scene(find_config("scenes", scene)).classes()
    rated = sorted((-placer.probability(known, *needed), thing) for thing, known in things.items())
    shown = [(thing, -less) for less, thing in rated if -less >= threshold]
    for thing, probability in shown:
        place = placer.place(things[thing])
        if json:
            row = {"name": thing, "class": things[thing], "probability": round(probability, 4)}
            typer.echo(canonical({**row, "placed": place.reason, "confidence": place.confidence}))
        else:
            unsure = f" ({place.reason})" if place.confidence < 1.0 else ""
            typer.echo(f"{probability:5.0%}  {thing:<20}  {things[thing]}{unsure}")
    if not shown and rated:
        best, thing = rated[0]
        say(f"Nothing is at least {threshold:.0%} likely; the likeliest is {thing}, {-best:.0%}.", err=True)


@commands.command("eval")
def evaluate_affordances(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="GROUND_TRUTH",
            help="A CSV file with the columns object and affordances, one pair per row.",
            show_default=False,
        ),
    ],
    threshold: _Threshold = 0.5,
    json: JsonOption = False,
) -> None:
    """Compare the mapping with labels: precision, recall and F1, for each affordance and overall.

    Affordances that the file does not name are not judged. Objects that the mapping does not list are placed
    like any other name. What people have said since (`tell`) does not count.

    Example: foretree affordances eval ground_truth.csv
    """
    from foretree.runs.encoding import canonical
    from foretree.world_model.affordances.evaluation import evaluate, read_ground_truth

    placer = _placer(learned=False)
    truth = read_ground_truth(file, placer.mapping)
    evaluation = evaluate(placer, truth, threshold)
    if json:
        each = {known: _figures(agreement) for known, agreement in evaluation.by_affordance.items()}
        figures = {"overall": _figures(evaluation.overall), "affordances": each, "objects": len(truth)}
        pairs = {"wrong": evaluation.wrong, "missed": evaluation.missed, "placed": dict(evaluation.placed)}
        typer.echo(canonical({**figures, **pairs}))
    else:
        _print_evaluation(evaluation, len(truth))


def _placer(learned: bool) -> Placer:
    """Return the mapping as the files have it, or with what was learned since."""
    from foretree.world_model.affordances.evidence_file import own_evidence_path, read_evidence
    from foretree.world_model.affordances.mapping_file import load_mapping
    from foretree.world_model.affordances.placement import Placer

    mapping = load_mapping()
    if learned:
        for (name, affordance), outcomes in read_evidence(own_evidence_path()).items():
            mapping.learn(name, affordance, outcomes)
    return Placer(mapping)


def _figures(agreement: Agreement) -> dict[str, float]:
    return {
        "precision": round(agreement.precision, 4),
        "recall": round(agreement.recall, 4),
        "f1": round(agreement.f1, 4),
        "found": agreement.found,
        "wrong": agreement.wrong,
        "missed": agreement.missed,
    }


def _print_evaluation(evaluation: AffordanceEvaluation, objects: int) -> None:
    typer.echo(f"{'affordance':<18} precision  recall    F1  labels")
    for known, agreement in (*evaluation.by_affordance.items(), ("overall", evaluation.overall)):
        typer.echo(
            f"{known:<18} {agreement.precision:9.2f}  {agreement.recall:6.2f}  {agreement.f1:4.2f}"
            f"  {agreement.found + agreement.missed:6}"
        )
    say(f"{objects} objects, {len(evaluation.placed)} of which the mapping does not list.")
    for name, reason in evaluation.placed.items():
        say(f"{name}: {reason}.")
