"""Check of the installation: each part that is optional or comes from elsewhere."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from foretree.errors import suggest

#: The oldest Python that Foretree runs on.
OLDEST_PYTHON = (3, 10)
#: Packages that extras bring: which extra, and what for.
_EXTRAS = (
    ("unified-planning", "engines", "other planning engines"),
    ("numpy", "homes", "grid homes"),
    ("scikit-fmm", "homes", "grid homes"),
    ("imageio-ffmpeg", "film", "`foretree show --film` as MP4"),
    ("mcap", "mcap", "`foretree export -f mcap`"),
    ("rosbags", "bags", "playing bags of ROS 2"),
    ("pyarrow", "parquet", "`foretree regress --parquet`"),
    ("openai", "llm", "asking model servers"),
    ("franky-control", "franka", "a Franka arm without ROS"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: whether it is there, and the one command that adds it if not."""

    part: str
    ok: bool
    says: str
    remedy: str = ""
    optional: bool = True


def examine() -> Iterator[Finding]:
    """Look at every part, the necessary ones first."""
    yield Finding(
        "Python",
        sys.version_info[:2] >= OLDEST_PYTHON,
        f"{platform.python_version()}; {'.'.join(map(str, OLDEST_PYTHON))} or newer is needed",
        optional=False,
    )
    for name in ("py_trees", "immutables", "networkx", "pydantic", "rich", "typer"):
        yield _distribution(name, "pip install . in the checkout", optional=False)
    yield _planner()
    yield _configs()
    yield _skills()
    yield _runs()
    for name, extra, purpose in _EXTRAS:
        yield _distribution(name, f'pip install ".[{extra}]" in the checkout', purpose)
    yield _model_server()
    yield Finding(
        "dot (Graphviz)",
        shutil.which("dot") is not None,
        "draws what `foretree plan --dot` prints",
        "apt install graphviz",
    )
    yield Finding(
        "rclpy (ROS 2)",
        find_spec("rclpy") is not None,
        "robots through ROS 2",
        "install ROS 2 and source its setup file: https://docs.ros.org",
    )


def _distribution(name: str, remedy: str, purpose: str = "", *, optional: bool = True) -> Finding:
    try:
        found = version(name)
    except PackageNotFoundError:
        return Finding(name, False, purpose or "not installed", remedy, optional)
    return Finding(name, True, f"{found}{'; ' + purpose if purpose else ''}", optional=optional)


def _planner() -> Finding:
    from foretree.planning.solvers.registry import find_solver

    try:
        solver = find_solver("fast-downward")
        says = getattr(solver, "describe", lambda: "there")()
    except Exception as error:
        return Finding(
            "Fast Downward", False, str(error), "pip install up-fast-downward==1.0.0", optional=False
        )
    return Finding("Fast Downward", True, says, optional=False)


def _model_server() -> Finding:
    """Ask the model server that the environment names for its models."""
    from foretree.reasoning.models.endpoint import Client, Endpoint, EndpointError

    part = "model server"
    remedy = "docs/models.md says how to name one"
    try:
        endpoint = Endpoint.from_environment(time_out=3.0, retries=0)
    except EndpointError as error:
        return Finding(part, False, str(error), remedy)
    client = Client(endpoint)
    try:
        models = client.models()
    except EndpointError:
        # Not every server lists its models; to say a word is what it is there for.
        try:
            client.answer([{"role": "user", "content": "Say yes."}], most_tokens=1)
        except EndpointError as error:
            return Finding(part, False, str(error), remedy)
        models = (endpoint.model,)
    if endpoint.model not in models:
        return Finding(
            part,
            False,
            f"{endpoint.address} answers, but has no {endpoint.model}. {suggest(endpoint.model, models)}",
        )
    return Finding(part, True, f"{endpoint.address} answers as {endpoint.model}; for --reviser llm")


def _configs() -> Finding:
    from foretree.config import ConfigError, config_files, config_roots

    try:
        scenes = ", ".join(config_files("scenes"))
    except ConfigError as error:
        return Finding(
            "configs", False, str(error), "unset FORETREE_CONFIGS, or make the folder", optional=False
        )
    return Finding("configs", bool(scenes), f"{config_roots()[-1]}; scenes: {scenes}", optional=False)


def _skills() -> Finding:
    """Look for skills whose goal can be reached without doing what was asked (see docs/skills.md)."""
    from foretree.errors import ForetreeError
    from foretree.skills.alternative_achievers import alternative_achievers
    from foretree.skills.catalogue_file import load_catalogue

    try:
        catalogue = load_catalogue()
    except ForetreeError as error:
        return Finding("skills", False, str(error), "correct the file", optional=False)
    loose = [
        f'"{form.say}" can be answered by {", ".join(ways)}'
        for skill in catalogue.skills.values()
        for form in skill.forms
        if not form.wish and (ways := alternative_achievers(form, catalogue))
    ]
    if loose:
        remedy = "say wish: true if any way will do, or ask for a fact that only the action makes so"
        return Finding("skills", False, "; ".join(loose), remedy)
    return Finding("skills", True, f"{len(catalogue.skills)} in the household")


def _runs() -> Finding:
    from foretree.runs.store import RunStore

    store = RunStore()
    return Finding("runs", True, f"{len(store.ids())} in {store.directory}", optional=False)
