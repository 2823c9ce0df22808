"""Commands about affordances: what objects let the robot do with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from foretree.cli._commands import CommandGroup, OptionGroup
from foretree.cli._options import JsonOption, UsageError
from foretree.cli._terminal import progress, say
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
    help="Show, correct, build and evaluate what objects let the robot do with them.",
)

#: Affordances less likely than this are not worth a word; at most so many of the unlikely get one.
_WORTH_A_WORD, _MOST_UNLIKELY = 0.1, 6

_Threshold = Annotated[
    float,
    typer.Option("--threshold", metavar="P", min=0.0, max=1.0, help="The least probability that counts."),
]


_Embedder = Annotated[
    str,
    typer.Option(
        "--embedder",
        envvar="FORETREE_EMBEDDER",
        metavar="KIND:MODEL",
        help="A model for names that share no word with a class: sentence:MODEL or endpoint:MODEL.",
        show_default=False,
        show_envvar=False,
    ),
]


@commands.command("show")
def show_affordances(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A class of objects, or any name of one.", show_default=False),
    ],
    embedder: _Embedder = "",
    json: JsonOption = False,
) -> None:
    """Show what an object affords, by its name, and how a name that is not listed was placed.

    Examples:

    foretree affordances show mug

    foretree affordances show "espresso cup" --json
    """
    from foretree.runs.encoding import canonical
    from foretree.world_model.affordances.evidence_file import learned_of
    from foretree.world_model.affordances.mapping import LIKELY

    placer = _placer(learned=True, embedder=embedder)
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
    for learned in learned_of(set(place.classes), placer.mapping.evidence):
        say(learned)
    unlikely = [known for known in ranked if _WORTH_A_WORD <= rated[known] < LIKELY]
    if unlikely:
        listed = ", ".join(f"{known} {rated[known]:.0%}" for known in unlikely[:_MOST_UNLIKELY])
        say(f"Less likely: {listed}.")


@commands.command("learned")
def show_learned(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The file of the setting experience, if it is not own."),
    ] = "own",
) -> None:
    """List what outcomes of actions and people have taught about classes, single things and skills.

    It is kept where the setting `experience` of the agent names a file, or own.

    Example: foretree affordances learned own
    """
    from foretree.agent.learning.experience import describe_evidence, experience_path
    from foretree.world_model.affordances.evidence_file import read_evidence

    path = experience_path(file)
    assert path is not None
    lines = describe_evidence(read_evidence(path))
    for line in lines:
        typer.echo(line)
    if not lines:
        say(f"Nothing is kept in {path}.")


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
    from foretree.world_model.affordances.evidence_file import Evidence, add_evidence, own_evidence_path
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
    add_evidence(own_evidence_path(), Evidence({(meant, known): word}))
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


class AffordanceSurveyOptions(OptionGroup):
    """Options for asking a model what classes afford."""

    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="CLASSES", help="Classes of objects to ask about.", show_default=False),
    ] = None
    strategy: Annotated[
        Literal["list", "yes-no", "yes-no-logic"],
        typer.Option("--strategy", help="How to ask: see below."),
    ] = "list"
    file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="A file with classes, one per line, or in the first column of a CSV file.",
            show_default=False,
        ),
    ] = None
    scene: Annotated[
        str, typer.Option("--scene", "-s", metavar="SCENE", help="A scene, for the classes in it.")
    ] = ""
    affordances: Annotated[
        str,
        typer.Option(
            "--affordances",
            metavar="NAMES",
            help="Affordances to ask about, with commas; by default all.",
            show_default=False,
        ),
    ] = ""
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file of classes to write.")
    ] = Path("classes.yaml")
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers",
            metavar="FILE",
            help="The file that answers are kept in; by default OUTPUT.answers.jsonl.",
            show_default=False,
        ),
    ] = None
    agent: Annotated[
        str, typer.Option("--agent", metavar="AGENT", help="The agent whose settings name the model.")
    ] = "default"
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="agent.KEY=VALUE",
            help="Any setting of the agent, e.g. agent.llm_model=qwen; may be given several times.",
            show_default=False,
        ),
    ] = None
    parallel: Annotated[
        int, typer.Option("--parallel", metavar="N", min=1, max=64, help="Classes to ask about at once.")
    ] = 4
    dry: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many questions and tokens it would take.")
    ] = False

    def classes(self) -> list[str]:
        """Return the classes to ask about.

        Raises:
            UsageError: none is named.
        """
        from foretree.config import find_config
        from foretree.reasoning.survey.class_names import clean_class_names, read_class_names

        names = list(self.names or ())
        if self.file is not None:
            names += read_class_names(self.file)
        if self.scene:
            from foretree.simulation.household.scene_file import load_scene

            names += sorted(set(load_scene(find_config("scenes", self.scene)).classes().values()))
        if not names:
            raise UsageError(
                "Name the classes to ask about: as arguments, with --from FILE or --scene SCENE."
            )
        return clean_class_names(names)

    def overrides(self) -> dict[str, str]:
        """Return settings of the agent, as text.

        Raises:
            UsageError: something else is set.
        """
        found = {}
        for setting in self.settings or ():
            key, equals, value = setting.partition("=")
            if not equals or not key.startswith("agent."):
                raise UsageError(f"--set {setting}: write agent.KEY=VALUE, for example agent.llm_model=qwen.")
            found[key.removeprefix("agent.")] = value
        return found


@commands.command("build")
def build_mapping(options: AffordanceSurveyOptions) -> None:
    """Ask a language model what classes of objects afford, and write a file of classes.

    `list` asks once per class for all affordances; `yes-no` once for each pair of a class and an affordance;
    `yes-no-logic` asks simple questions ("does it hold water without leaking?") that
    configs/affordances/questions.yaml combines. Answers are kept: the same command goes on after an
    interruption. To use the file, put it into $FORETREE_CONFIGS/affordances/classes.yaml.

    Examples:

    foretree affordances build mug "coffee machine" --strategy yes-no-logic

    foretree affordances build --scene kitchen --dry-run
    """
    from foretree.bringup.survey import make_strategy, make_survey
    from foretree.reasoning.survey.mapping_writer import settle, write_classes
    from foretree.reasoning.survey.report import describe_extent, describe_problems, describe_spending
    from foretree.world_model.affordances.mapping_file import load_mapping

    mapping = load_mapping()
    classes = options.classes()
    asked = [mapping.checked(name) for name in options.affordances.split(",") if name.strip()]
    asked = list(dict.fromkeys(asked)) or list(mapping.affordances)
    strategy = make_strategy(options.strategy, mapping, asked)
    answers = options.answers or options.output.with_name(options.output.name + ".answers.jsonl")
    survey = make_survey(strategy, answers, options.agent, options.overrides(), options.parallel, options.dry)
    things = [name.replace("_", " ") for name in classes]
    say(describe_extent(survey.extent(things), len(classes), survey.model), err=not options.dry)
    if options.dry:
        return
    try:
        with progress(len(things), "classes") as advance:
            result = survey.run(things, asked, advance)
    except KeyboardInterrupt:
        say(f"Interrupted. What was answered is kept in {answers}; the same command goes on.", err=True)
        raise
    surveyed = settle({name.replace(" ", "_"): known for name, known in result.affords.items()}, mapping)
    if surveyed.affords:
        comments = [
            f"What {survey.model} says that things afford, asked by foretree affordances build "
            f"--strategy {options.strategy}.",
            f"Asked about: {', '.join(asked)}."
            if len(asked) < len(mapping.affordances)
            else "Asked about all affordances.",
        ]
        write_classes(options.output, surveyed, mapping, comments)
        load_mapping(classes=options.output)
    say(describe_spending(result))
    for problem in describe_problems(surveyed, result):
        say(problem, err=True)
    if surveyed.affords:
        pairs = sum(map(len, surveyed.affords.values()))
        say(f"{options.output}: {len(surveyed.affords):,} classes with {pairs:,} affordances.")
    if not surveyed.affords:
        raise typer.Exit(1)


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
    classes: Annotated[
        Path | None,
        typer.Option(
            "--classes", metavar="FILE", help="Another file of classes to evaluate.", show_default=False
        ),
    ] = None,
    embedder: _Embedder = "",
    json: JsonOption = False,
) -> None:
    """Compare the mapping with labels: precision, recall and F1, for each affordance and overall.

    Affordances that the file does not name are not judged. Objects that the mapping does not list are placed
    like any other name. What people have said since (`tell`) does not count.

    Examples:

    foretree affordances eval ground_truth.csv

    foretree affordances eval ground_truth.csv --classes built.yaml
    """
    from foretree.runs.encoding import canonical
    from foretree.world_model.affordances.evaluation import evaluate, read_ground_truth

    placer = _placer(learned=False, classes=classes, embedder=embedder)
    truth = read_ground_truth(file, placer.mapping)
    evaluation = evaluate(placer, truth, threshold)
    if json:
        each = {known: _figures(agreement) for known, agreement in evaluation.by_affordance.items()}
        figures = {"overall": _figures(evaluation.overall), "affordances": each, "objects": len(truth)}
        pairs = {"wrong": evaluation.wrong, "missed": evaluation.missed, "placed": dict(evaluation.placed)}
        typer.echo(canonical({**figures, **pairs}))
    else:
        _print_evaluation(evaluation, len(truth))


def _placer(learned: bool, classes: Path | None = None, embedder: str = "") -> Placer:
    """Return the mapping as the files have it, or with what was learned since."""
    from foretree.world_model.affordances.evidence_file import own_evidence_path, read_evidence
    from foretree.world_model.affordances.mapping_file import load_mapping
    from foretree.world_model.affordances.placement import Placer

    if embedder:
        from foretree.bringup.survey import named_embedder
    mapping = load_mapping(classes=classes)
    if learned:
        for (name, affordance), outcomes in read_evidence(own_evidence_path()).classes.items():
            mapping.learn(name, affordance, outcomes)
    return Placer(mapping, named_embedder(embedder) if embedder else None)


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
