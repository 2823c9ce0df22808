"""Settings of an agent: how it checks, ticks, plans and revises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from annotated_types import Ge, Le

from foretree.reasoning.models.choices import TokenLimitName
from foretree.revision.expectation import GUARD_NAMES, GuardName
from foretree.revision.llm.choices import FeedbackSource, Notation

#: What no run may have on record.
SECRETS = frozenset({"llm_key"})

#: Reasoners that can be asked.
ReasonerName: TypeAlias = Literal["offline", "openai", "recorded"]
#: Choosers of tools.
ChooserName: TypeAlias = Literal["rules", "model"]
#: Revisers that can be asked.
ReviserName: TypeAlias = Literal["rules", "llm", "planner"]
#: No setting is a larger number.
_MOST = 10**9
Count: TypeAlias = Annotated[int, Ge(0), Le(_MOST)]
Number: TypeAlias = Annotated[float, Ge(0), Le(_MOST)]


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of an agent; the values of ``configs/agents/*.yaml``.

    Attributes:
        tick_hz: ticks per second on the session's clock, from 0.01 to 10000.
        reasoner: who understands instructions: ``offline``, a grammar, which needs no network; ``openai``,
            the language model that the settings ``llm_…`` describe, on any server of that protocol; or
            ``recorded``, its answers in the file *llm_replay*. A model writes the goal only, never the plan.
        goal_corrections: how often a model may correct a goal that is wrong or can never hold, or another
            answer that cannot be used.
        tools: who chooses the next tool among those that can help: ``rules``, or the language ``model``. If
            it chooses none of them, the rules decide.
        alternatives: how another thing is chosen in place of a missing one: by the ``affordances`` that the
            instruction needs; by these, and where nothing has them by the language ``model``; or the most
            ``similar`` one, to compare with.
        guards: which of the four guards are compiled in. Without any, nothing is checked before it is done.
        revisers: who is asked about a discrepancy, in this order.
        looks: how often a guard looks again before it decides on what it has.
        sure_in_hand: confidence in the class and, where they matter, the attributes of a thing in the hand
            that is needed before the plan goes on; until then it is looked at from further sides. 0: none.
        sure_otherwise: confidence in a fact that contradicts the plan that is needed to change the plan. A
            contradiction with less is ignored until an action depends on the fact; then the robot looks.
        sure_needless: confidence that the purpose of an action, or of the rest of a plan, is reached already
            that is needed to skip it. Doing an action twice costs less than skipping it by mistake.
        careful: whether a robot that sees for itself makes sure that a thing looks as it should before it
            touches it even where the guard of appearance, whose last look that is, is not compiled in; then
            the first view from within reach decides. Otherwise it takes what is where the thing should be.
        sides: how many such looks at one thing there are at most; a look shows a few sides.
        goal_states: how states that the goal asks for are taken to be when a plan is made: as ``believed``,
            or ``opposite``, whatever was seen: a baseline that need not see states to reach them.
        look_round: whether the robot looks again before it gives up, at what is in doubt and all around, and
            makes a plan, be it an empty one, for a goal that a search has seen reached by the way. That does
            not depend on guards.
        turn_round: whether a robot that finds its way about by itself breaks off a walk that a revision has
            left without purpose. That does not depend on guards either.
        attempts: how often the same action may fail in a row, whatever its own retries, before giving up.
        rounds: how often the agent plans anew after a plan could not be mended.
        revisions: how many revisions in a row are made without an action coming to its end, and how many
            over one and the same expectation.
        planner: the solver's name.
        plans: ``first``: the first one found; ``good``: one of low cost if a quick search finds that, else
            the first, or a cheaper one that takes little more; ``fair``: one of fair cost instead of the
            first, so that no plan depends on how fast the machine is; ``optimal``: a proved one, or none.
        optimise: ``cost``: plans are cheap; ``success``: they are likely to succeed, as far as probabilities
            are known, and cheap where that makes no difference.
        experience: a file from which is taken, and in which is kept, what outcomes of actions and people
            teach about skills and about what things afford; ``own`` for the one in the data directory. If it
            is empty, that ends with the session.
        embedder: a model that knows which words are like which, for things and needs that no file names:
            ``sentence:MODEL`` on this machine, or ``endpoint:MODEL`` on the server of ``llm_url``; empty for
            none.
        good_expansions: how many states are expanded to find a cheaper plan than the first.
        expansions: search limit of the planner, in expanded states. Each search for a goal that there was
            no plan for within the limit has half of it, until a plan is found.
        actions: how many actions, each with its arguments, the planner looks at. Where there are more, there
            is no plan: a whole building with all that is in it is too much for any search.
        improving: how many states are expanded in search of a cheaper rest of the plan while the robot
            is busy with the beginning of it; with 0 none is looked for. Nor is one where it is known
            that little could be saved, as of most short plans.
        compress: whether to plan on the map reduced to the nodes that matter: plans cost the same, but in
            large buildings they are found much sooner.
        select: whether to plan with the things only that the goal gives a reason to think of, where things
            can be carried on things. Others are thought of when there is no plan without them. Turning it
            off may find a cheaper plan, or none in time; without *compress* nothing is selected.
        planning_latency: seconds that planning takes on a simulated clock.
        planning_patience: seconds after which a reviser that plans is given up.
        cancel_grace: seconds that a robot has to confirm a cancel.
        contact_patience: seconds to wait for news of what was cancelled or lost, before planning on; and for
            a lost part of the robot, or for observations that stay out, before giving up.
        ask_patience: seconds to wait for the answer to a question; without one, nothing is done.
        disagreements: whose words count where two people want what contradicts each other: ``ask`` them, and
            keep to the earlier until one of them decides; the ``earlier``; the ``later``; or a person's name,
            whose words count against those of others. They are told in any case.
        record_images: whether the images of a robot's camera are kept in the run, for people who watch it.
        time_limit: seconds on the session's clock after which it is given up.
        llm_url: where the server of the language model listens, up to and including ``/v1``: for the reviser
            ``llm`` and the reasoner ``openai``. If it is empty, the environment says it, as it does for the
            model, the key, and the two files below.
        llm_model: which of its models.
        llm_key: what it wants to be shown. It is never recorded; better leave it to the environment.
        llm_format: how a model writes steps: as ``tuples`` (target, action), or as ``triplets`` (action,
            target, parent), which are coarser.
        llm_feedback: who says what is wrong: a ``template``, or another question to the ``model``.
        llm_latency: seconds that asking a model takes on a simulated clock.
        llm_patience: seconds after which the next reviser is asked.
        llm_time_out: seconds that one request to the server may take.
        llm_retries: how often a request is repeated that the server refuses for the moment.
        llm_corrections: how often the reviser sends an answer back that cannot be used, with the reason.
        llm_tokens: how long an answer may be, in tokens.
        llm_temperature: how random answers are; with ``none`` requests do not say, as some models want it.
        llm_tokens_as: what requests call the longest answer: ``max_tokens``, ``max_completion_tokens`` as
            reasoning models want it, or ``none`` to leave it out.
        llm_price_asked: what a million tokens of questions cost.
        llm_price_answered: what a million tokens of answers cost.
        llm_budget_tokens: how many tokens all questions and answers of a run may take together; a question
            that could exceed it is not asked. With 0 there is no limit.
        llm_budget_cost: the same in money, by the two prices.
        llm_record: a file that questions and answers are written to; those in it already are not asked again.
        llm_replay: a file, or the name of one in the folder ``answers/`` of your configs, that all answers
            come from. No server is asked then.
    """

    tick_hz: Annotated[float, Ge(0.01), Le(10_000)] = 10.0
    reasoner: ReasonerName = "offline"
    goal_corrections: Count = 3
    tools: ChooserName = "rules"
    alternatives: Literal["affordances", "model", "similar"] = "affordances"
    guards: tuple[GuardName, ...] = GUARD_NAMES
    revisers: tuple[ReviserName, ...] = ("rules", "planner")
    looks: Count = 2
    sure_in_hand: Number = 0.0
    sure_otherwise: Number = 0.0
    sure_needless: Number = 0.0
    careful: bool = False
    sides: Count = 4
    goal_states: Literal["believed", "opposite"] = "believed"
    look_round: bool = True
    turn_round: bool = True
    attempts: Count = 4
    rounds: Count = 12
    revisions: Count = 8
    planner: str = "fast-downward"
    plans: Literal["first", "good", "fair", "optimal"] = "good"
    optimise: Literal["cost", "success"] = "cost"
    experience: str = ""
    embedder: str = ""
    good_expansions: Count = 20_000
    expansions: Count = 200_000
    actions: Count = 100_000
    improving: Count = 5000
    compress: bool = True
    select: bool = True
    planning_latency: Number = 0.2
    planning_patience: Number = 30.0
    cancel_grace: Number = 5.0
    contact_patience: Number = 30.0
    ask_patience: Number = 30.0
    disagreements: str = "ask"
    record_images: bool = True
    time_limit: Number = 1800.0
    llm_url: str = ""
    llm_model: str = ""
    llm_key: str = ""
    llm_format: Notation = "tuples"
    llm_feedback: FeedbackSource = "template"
    llm_latency: Number = 2.0
    llm_patience: Number = 60.0
    llm_time_out: Number = 15.0
    llm_retries: Count = 2
    llm_corrections: Count = 1
    llm_tokens: Count = 300
    llm_temperature: Number | Literal["none"] = 0.0
    llm_tokens_as: TokenLimitName = "max_tokens"
    llm_price_asked: Number = 0.0
    llm_price_answered: Number = 0.0
    llm_budget_tokens: Count = 0
    llm_budget_cost: Number = 0.0
    llm_record: str = ""
    llm_replay: str = ""

    #: How pydantic checks values from files and from the command line.
    __pydantic_config__: ClassVar[Any] = {
        "extra": "forbid",
        "allow_inf_nan": False,
        "coerce_numbers_to_str": True,
    }
