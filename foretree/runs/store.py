"""Store of runs: a directory with one file per run."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

from foretree.config import data_directory, is_file
from foretree.errors import ForetreeError, near_miss, suggest
from foretree.locking import make_private_folder
from foretree.runs._index import RunIndex
from foretree.runs._names import VALID_ID, new_run_id
from foretree.runs._process import Writer
from foretree.runs._run_file import (
    add_request_data,
    count_events,
    create_tables,
    last_event,
    open_file,
    read_meta,
    transaction,
    write_meta,
)
from foretree.runs.events import SCHEMA_VERSION

SUFFIX = ".sqlite"

#: What another terminal can ask of a run.
REQUEST_KINDS = ("stop", "pause", "step", "resume", "say", "break", "unbreak", "surprise", "leave")


class RunError(ForetreeError):
    """A run cannot be found, read, or written."""

    exit_code = 3


class UnknownRunError(RunError):
    """There is no such run, or more than one that the words could mean."""


class BrokenRunError(RunError):
    """The file is not a run, or a damaged one."""


class NewerSchemaError(RunError):
    """The run was written by a newer Foretree than this one."""


class RunEndedError(RunError):
    """The run has ended, so nothing can be asked of it or added to it."""


class RunBusyError(RunError):
    """Another process is writing the run."""


@dataclass(frozen=True, slots=True)
class ControlRequest:
    """Something that another terminal asked of the run.

    Attributes:
        kind: one of :data:`REQUEST_KINDS`.
        sender: who asked.
        data: ``words`` that are said, a breakpoint (``at`` and ``value``), the ``line`` of a surprise; for
            ``leave``, which says that the sender has gone, the ``run`` as commands call it.
    """

    seq: int
    kind: str
    sender: str
    data: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Facts about a run that are known without reading its events.

    Attributes:
        status: ``running``, ``ended``, or ``interrupted`` (its process is gone and it never ended).
        outcome: how it ended, empty before.
        started: seconds since the epoch.
        events: how many there are.
        tick: the last one that left an event.
        seconds: the session's clock at the last event.
        actions: how many actions the robot was told to do; None while the run goes on.
        revisions: how often the plan was revised; None while the run goes on.
    """

    id: str
    path: Path
    instruction: str
    scene: str
    started: float
    status: str
    outcome: str
    writer: Writer
    foretree: str
    schema: int
    events: int
    tick: int
    seconds: float
    actions: int | None = None
    revisions: int | None = None

    def as_data(self) -> dict[str, object]:
        """Return the facts for a program: a line of the list of runs, or what a viewer is told."""
        hidden = ("path", "writer", "foretree", "schema")
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name not in hidden}


class Run:
    """One run's file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.id = path.stem

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one consistent state of the run and cannot change it.

        Raises:
            BrokenRunError: the file is not a run, or a damaged one.
            NewerSchemaError: this Foretree is too old to read it.
        """
        with self._explained(), closing(open_file(self.path, write=False)) as connection:
            connection.execute("BEGIN")
            self._check(read_meta(connection))
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection within an exclusive transaction."""
        with (
            self._explained(),
            closing(open_file(self.path, write=True)) as connection,
            transaction(connection),
        ):
            self._check(read_meta(connection))
            yield connection

    def info(self) -> RunInfo:
        """Facts about the run that are known without reading its events."""
        with self.reading() as connection:
            info = _info(self.path, read_meta(connection), last_event(connection))
            if info.status == "running":  # asked for often, and to count takes a look at every event
                return info
            counts = count_events(connection, "action.intent", "revision.made")
            return replace(info, actions=counts["action.intent"], revisions=counts["revision.made"])

    def request(self, kind: str, sender: str = "", **data: str) -> ControlRequest:
        """Ask something of the process that carries the run out: see :class:`ControlRequest`.

        Raises:
            RunEndedError: no process carries the run out.
        """
        if kind not in REQUEST_KINDS:
            raise RunError(f"A run cannot be asked to {kind!r}. {suggest(kind, REQUEST_KINDS)}")
        info = self.info()
        if info.status == "ended":
            raise RunEndedError(f"Run {self.id} has ended already ({info.outcome or 'no outcome'}).")
        if info.status == "interrupted":
            raise RunEndedError(
                f"Run {self.id} was interrupted: its process {info.writer.pid} is gone, so it cannot be "
                f"asked to {kind}. `foretree resume {self.id}` takes it up again."
            )
        sender = sender or f"process {os.getpid()}"
        with self.writing() as connection:
            added = connection.execute(
                "INSERT INTO requests (wall, kind, sender, data) VALUES (?, ?, ?, ?)",
                (time.time(), kind, sender, json.dumps(data)),
            )
        return ControlRequest(added.lastrowid or 0, kind, sender, data)

    def taken(self, request: ControlRequest) -> bool:
        """Return whether the run has noticed *request*."""
        with self.reading() as connection:
            found = connection.execute("SELECT taken FROM requests WHERE seq = ?", (request.seq,)).fetchone()
        return found is not None and found[0] is not None

    def claim(self) -> None:
        """Make this process the run's writer.

        Raises:
            RunEndedError: there is nothing left to write.
            RunBusyError: another process writes it.
        """
        here = Writer.here()
        with self.writing() as connection:
            meta = read_meta(connection)
            if meta["status"] == "ended":
                raise RunEndedError(
                    f"Run {self.id} has ended ({meta.get('outcome', '')}); only an interrupted run goes on."
                )
            writer = _writer(meta)
            if writer != here and writer.alive():
                raise RunBusyError(
                    f"Run {self.id} is being written by process {writer.pid} on {writer.host}. "
                    f"`foretree stop {self.id}` ends it."
                )
            write_meta(connection, **_writer_keys(here))
            add_request_data(connection)
            # Requests to the process that died were not meant for this one.
            connection.execute("UPDATE requests SET taken = ? WHERE taken IS NULL", (time.time(),))

    def _check(self, meta: Mapping[str, str]) -> None:
        version = int(meta["schema"])
        if version > SCHEMA_VERSION:
            raise NewerSchemaError(
                f"{self.path} was written by Foretree {meta.get('foretree', '?')} in schema {version}; this "
                f"one reads schemas up to {SCHEMA_VERSION}. Install a newer Foretree to open it."
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise BrokenRunError(f"{self.path} cannot be used as a run: {error}.") from error
        except (KeyError, ValueError) as error:
            raise BrokenRunError(f"{self.path} is not a run file, or a damaged one: {error!r}.") from error


@dataclass(frozen=True, slots=True)
class Listing:
    """The runs of a directory, oldest first, and a note for each file that could not be read."""

    runs: tuple[RunInfo, ...]
    notes: tuple[str, ...]


class RunStore:
    """A directory of runs.

    Args:
        directory: where; :func:`default_directory` if not given. It is created when the first run is.
    """

    def __init__(self, directory: Path | str | None = None) -> None:
        self.directory = Path(directory) if directory is not None else default_directory()

    def create(self, instruction: str, scene: str = "", run_id: str | None = None) -> Run:
        """A new, empty run that this process will write.

        Raises:
            RunError: the id is taken or cannot be one, or the directory cannot be written to.
        """
        from foretree._version import __version__

        if run_id is not None:
            self._check_new_id(run_id)
        started = time.time()
        meta = {
            "schema": str(SCHEMA_VERSION),
            "foretree": __version__,
            "instruction": _storable(instruction),
            "scene": _storable(scene),
            "started": repr(started),
            "status": "running",
            **_writer_keys(Writer.here()),
        }
        try:
            make_private_folder(self.directory)
            while True:
                path = self._path(run_id or new_run_id(instruction, started))
                if self._put(path, {**meta, "id": path.stem}):
                    return Run(path)
                if run_id is not None:
                    raise RunError(f"There is a run {run_id!r} already, in {self.directory}.")
        except OSError as error:
            raise RunError(f"Cannot write a run into {self.directory}: {error.strerror}.") from error
        except sqlite3.Error as error:
            raise RunError(f"Cannot write a run into {self.directory}: {error}.") from error

    def open(self, run: str) -> Run:
        """The run of that id, the one whose id begins so, the newest (``last``), or the file at that path.

        Raises:
            UnknownRunError: there is none, or several; the message lists what there is.
        """
        if run.endswith(SUFFIX) and is_file(Path(run)):
            return self._checked(Path(run))
        ids = self.ids()
        if run == "last":
            infos = self.list().runs
            if not infos:
                raise UnknownRunError(f"There are no runs in {self.directory} yet.")
            return Run(infos[-1].path)
        if run in ids:
            return self._checked(self._path(run))
        matches = [name for name in ids if run and name.startswith(run)]
        if len(matches) == 1:
            return self._checked(self._path(matches[0]))
        if matches:
            raise UnknownRunError(f"{run!r} could be {_enumerate(matches)}. Say more of the id.")
        if not ids:
            raise UnknownRunError(f"There is no run {run!r}: {self.directory} holds none yet.")
        if not (hint := near_miss(run, [*ids, "last"])):
            newest = [info.id for info in reversed(self.list().runs)] or ids
            hint = f"The newest are {_enumerate(newest)}."
        raise UnknownRunError(f"There is no run {run!r}. {hint} `last` means the newest.")

    def ids(self) -> tuple[str, ...]:
        """The ids of all run files, in the order of their names."""
        return tuple(sorted(path.stem for path in self.directory.glob(f"*{SUFFIX}")))

    def list(self) -> Listing:
        """Every run that can be read, oldest first, and a note for every file that cannot.

        Runs that have ended are read from the index where their file is still the one that was indexed.
        """
        index = RunIndex(self.directory)
        known = index.read()
        stamps = self._stamps()
        infos: list[RunInfo] = []
        notes: list[str] = []
        new: dict[str, tuple[str, str]] = {}
        for name in sorted(stamps):
            path = self._path(name)
            stamp, facts = known.get(name, ("", ""))
            if facts and stamp == stamps[name]:
                infos.append(_read_facts(path, facts))
                continue
            try:
                info = Run(path).info()
            except RunError as error:
                notes.append(str(error))
                continue
            infos.append(info)
            if info.status == "ended" and stamps[name]:
                new[name] = stamps[name], json.dumps(asdict(info), default=str)
        index.update(new, gone=known.keys() - stamps.keys())
        infos.sort(key=lambda info: (info.started, info.id))
        return Listing(tuple(infos), tuple(notes))

    def _stamps(self) -> dict[str, str]:
        """Ids of all run files with a stamp that changes with the file; empty beside a write-ahead log."""
        try:
            with os.scandir(self.directory) as entries:
                found = {entry.name: entry for entry in entries}
        except FileNotFoundError:
            return {}
        stamps = {}
        for name, entry in found.items():
            if name.endswith(SUFFIX):
                try:
                    stat = entry.stat()
                except FileNotFoundError:
                    continue
                plain = f"{name}-wal" not in found
                stamp = f"{stat.st_mtime_ns}-{stat.st_size}-{stat.st_ino}" if plain else ""
                stamps[name[: -len(SUFFIX)]] = stamp
        return stamps

    def _path(self, run_id: str) -> Path:
        return self.directory / f"{run_id}{SUFFIX}"

    def _checked(self, path: Path) -> Run:
        run = Run(path)
        with run.reading():
            return run

    def _check_new_id(self, run_id: str) -> None:
        if run_id == "last" or not VALID_ID.fullmatch(run_id):
            raise RunError(
                f"A run cannot be called {run_id!r}: letters, digits, '.', '_' and '-', beginning with a "
                f"letter or digit, 100 at most, and not the word 'last'."
            )

    def _put(self, path: Path, meta: dict[str, str]) -> bool:
        """Make the run file at *path*, complete from the moment it is there; False if the name is taken."""
        if path.exists():
            return False
        unready = path.with_name(f".{path.stem}.{os.getpid()}.new")
        os.close(os.open(unready, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        try:
            create_tables(unready, meta)
            os.link(unready, path)
        except FileExistsError:
            return False
        finally:
            unready.unlink()
        return True


def default_directory() -> Path:
    """``runs`` below :func:`~foretree.config.data_directory`."""
    return data_directory() / "runs"


def _read_facts(path: Path, facts: str) -> RunInfo:
    """Facts about the run at *path*, as the index has them."""
    said = json.loads(facts)
    return RunInfo(**{**said, "id": path.stem, "path": path, "writer": Writer(**said["writer"])})


def _info(path: Path, meta: Mapping[str, str], last: tuple[int, int, float]) -> RunInfo:
    writer, ended = _writer(meta), meta["status"] == "ended"
    events, tick, seconds = last
    return RunInfo(
        id=path.stem,
        path=path,
        instruction=meta["instruction"],
        scene=meta["scene"],
        started=float(meta["started"]),
        status="ended" if ended else "running" if writer.alive() else "interrupted",
        outcome=meta.get("outcome", ""),
        writer=writer,
        foretree=meta["foretree"],
        schema=int(meta["schema"]),
        events=events,
        tick=tick,
        seconds=seconds,
    )


def _writer(meta: Mapping[str, str]) -> Writer:
    return Writer(int(meta["pid"]), meta["host"], meta["birth"])


def _writer_keys(writer: Writer) -> dict[str, str]:
    return {"pid": str(writer.pid), "host": writer.host, "birth": writer.birth}


def _storable(text: str) -> str:
    """*text* less what is not valid Unicode, as a command line can contain."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _enumerate(names: Iterable[str], limit: int = 8) -> str:
    listed = list(names)
    more = len(listed) - limit
    return ", ".join(listed[:limit]) + (f" or {more} more" if more > 0 else "")
