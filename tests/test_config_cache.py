"""What configuration files came to, kept: it holds as long as it is true, and nobody else's is taken."""

from __future__ import annotations

import json
import os
import pickle
import stat
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from foretree import config_cache as keeping
from foretree.agent.agent_file import read_agent
from foretree.bringup.embedded import open_household
from foretree.bringup.options import Wish
from foretree.config import ConfigError, config_files, digest, find_config, is_file, read_yaml
from foretree.config_cache import cached, cached_file
from foretree.simulation.household.scene_file import load_scene, scene_domain
from foretree.skills.capabilities import Helper, capabilities
from foretree.skills.catalogue_file import load_catalogue


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "foretree"


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    """A file among the user's own."""
    folder = tmp_path / "configs" / "things"
    folder.mkdir(parents=True)
    monkeypatch.setenv("FORETREE_CONFIGS", str(folder.parent))
    (folder / "one.yaml").write_text("says: this\n")
    return folder / "one.yaml"


@dataclass(frozen=True)
class Reader:
    """Reads a file, and counts how often it does."""

    path: Path
    times: list[int]

    def __call__(self) -> object:
        self.times.append(1)
        beside = is_file(self.path.with_suffix(".pddl"))
        return read_yaml(find_config("things", "one")), sorted(config_files("things")), beside


@pytest.fixture
def reader(file) -> Reader:
    return Reader(file, [])


def test_what_was_read_is_not_read_again(cache, reader) -> None:
    first = cached("things", reader)
    assert cached("things", reader) == first == ({"says": "this"}, ["one"], False)
    assert len(reader.times) == 1
    cached("others", reader)
    assert len(reader.times) == 2


def test_a_file_that_says_something_else_is_read_again_whatever_its_date(cache, reader) -> None:
    cached("things", reader)
    before = reader.path.stat()
    reader.path.write_text("says: that\n")
    os.utime(reader.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cached("things", reader)[0] == {"says": "that"}


def test_a_process_keeps_a_file_until_it_changes(cache, file) -> None:
    times: list[Path] = []

    def read(path: Path) -> object:
        times.append(path)
        return read_yaml(path)

    first = cached_file("things", "one", read)
    assert cached_file("things", "one", read) is first
    file.write_text("says: something else\n")
    assert cached_file("things", "one", read) == {"says": "something else"}
    assert times == [file, file]


@pytest.mark.parametrize("name", ["two.yaml", "one.pddl"])
def test_so_it_is_where_there_are_other_files(cache, reader, name) -> None:
    before = cached("things", reader)
    reader.path.with_name(name).write_text("says: more\n")
    assert cached("things", reader) != before
    reader.path.with_name(name).unlink()
    assert cached("things", reader) == before


def test_so_it_is_where_the_code_is_another_one(cache, reader, monkeypatch) -> None:
    cached("things", reader)
    (entry,) = cache.iterdir()
    code = json.loads(entry.read_bytes().partition(b"\n")[0])["code"]
    assert keeping.__file__ in code
    stamp = keeping._stamp
    other = [0, 0]
    monkeypatch.setattr(keeping, "_stamp", lambda path: other if path == keeping.__file__ else stamp(path))
    cached("things", reader)
    assert len(reader.times) == 2


def test_so_it_is_where_configuration_files_are_elsewhere(cache, reader, tmp_path, monkeypatch) -> None:
    cached("things", reader)
    other = tmp_path / "others"
    (other / "things").mkdir(parents=True)
    (other / "things" / "one.yaml").write_text("says: other\n")
    monkeypatch.setenv("FORETREE_CONFIGS", str(other))
    assert cached("things", reader)[0] == {"says": "other"}


def test_what_depends_on_where_one_is_is_not_kept(cache, file, monkeypatch) -> None:
    monkeypatch.chdir(file.parent)
    assert cached("things", lambda: read_yaml(Path("one.yaml"))) == {"says": "this"}
    assert not cache.exists()


def test_mistakes_are_not_kept(cache, file) -> None:
    file.write_text("[")
    for _ in range(2):
        with pytest.raises(ConfigError, match="not valid YAML"):
            cached("things", lambda: read_yaml(file))
    assert not cache.exists()


def test_it_is_for_its_owner_only(cache, reader) -> None:
    cached("things", reader)
    (entry,) = cache.iterdir()
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700


def test_only_so_many_are_kept(cache, reader, monkeypatch) -> None:
    monkeypatch.setattr(keeping, "_MOST_ENTRIES", 3)
    for number in range(5):
        cached(f"things {number}", reader)
    assert len(list(cache.iterdir())) == 3
    cached("things 4", reader)
    assert len(reader.times) == 5


# -- what cannot be used -----------------------------------------------------------------------------------


def rewritten(cache: Path, entry: bytes) -> None:
    """Put something else into the one entry there is, as somebody would who knows how that is done."""
    (path,) = cache.iterdir()
    head = json.loads(path.read_bytes().partition(b"\n")[0])
    head["entry"] = digest(entry)
    path.write_bytes(json.dumps(head).encode() + b"\n" + entry)


def test_what_is_damaged_is_made_anew(cache, reader) -> None:
    made = cached("things", reader)
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    head, _, entry = whole.partition(b"\n")
    damaged = [whole[: len(whole) * part // 20] for part in range(20)]
    damaged += [b"[]\n" + entry, b"{}\n" + entry, head + b"\n" + entry[:-1] + b"x", b"\xff" * 100, b"null\n"]
    for times, text in enumerate(damaged, start=2):
        path.write_bytes(text)
        assert cached("things", reader) == made
        assert len(reader.times) == times
        cached("things", reader)
        assert len(reader.times) == times, "it is whole again"


class Evil:
    def __init__(self, call: object, *arguments: object) -> None:
        self.reduced = call, arguments

    def __reduce__(self) -> object:
        return self.reduced


def test_nothing_is_called_but_what_makes_data(cache, reader, tmp_path) -> None:
    made = cached("things", reader)
    from foretree.planning.solvers.fast_downward.solver import FastDownward

    done = tmp_path / "done"
    calls = [
        Evil(os.mkdir, str(done)),
        Evil(eval, f"open({str(done)!r}, 'w')"),
        Evil(FastDownward, "/bin/sh"),
    ]
    # What a module of ours has imported is not ours.
    through = b"\x80\x04\x8c\x25foretree.planning.solvers.fast_downward\x8c\x10subprocess.Popen\x93."
    for entry in (*map(pickle.dumps, calls), through):
        rewritten(cache, entry)
        reader.times.clear()
        assert cached("things", reader) == made
        assert reader.times
        assert not done.exists()


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_what_somebody_else_could_have_written_is_not_taken(cache, reader, mode) -> None:
    cached("things", reader)
    (path,) = cache.iterdir()
    path.chmod(mode)
    cached("things", reader)
    assert len(reader.times) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_somebody_else_has_written_is_not_taken_nor_followed(cache, reader, monkeypatch) -> None:
    cached("things", reader)
    (path,) = cache.iterdir()
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")
    cached("things", reader)
    assert len(reader.times) == 2
    assert not path.is_symlink()
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    cached("things", reader)
    assert len(reader.times) == 3


def test_where_nothing_can_be_kept_it_is_read(reader, tmp_path, monkeypatch) -> None:
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "taken"))
    assert cached("things", reader) == cached("things", reader)
    monkeypatch.delenv("XDG_CACHE_HOME")

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert cached("things", reader)[1] == ["one"]
    assert len(reader.times) == 3


# -- what is kept ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(config_files("scenes")))
def test_a_scene_and_its_catalogue_are_what_they_were(cache, name) -> None:
    """The first session reads, the second one takes what was kept."""
    path = find_config("scenes", name)
    catalogue = load_catalogue(scene_domain(path))
    scene = load_scene(path, catalogue.ontology)
    helpers = {person: Helper(of.helps, of.cost) for person, of in scene.helpers.items()}
    robots = {robot.name: robot.skills for robot in scene.robots}
    catalogue = capabilities(catalogue, robots, helpers).catalogue
    open_household(name, Wish("wait"))
    assert list(cache.iterdir()), "the scene at least: the agent was perhaps read before"
    written = {path: path.stat().st_ino for path in cache.iterdir()}
    session, world = open_household(name, Wish("wait"))
    assert {path: path.stat().st_ino for path in cache.iterdir()} == written, "it was not read again"
    assert session.context.catalogue == catalogue
    assert list(session.context.catalogue.skills) == list(catalogue.skills)
    again = world.scene
    assert again.ontology is session.context.catalogue.ontology
    for field in fields(scene):
        one, other = getattr(scene, field.name), getattr(again, field.name)
        if field.name == "places":
            assert list(one.places()) == list(other.places())
            assert repr(vars(one)) == repr(vars(other))
        elif field.name != "building":
            assert one == other
            if isinstance(one, dict):
                assert list(one) == list(other)


def test_what_is_set_for_once_is_not_kept(cache) -> None:
    from foretree.bringup.options import Options

    options = Options(changes={"skill.pick.retries": "0"}, overrides={"tick_hz": "20"})
    session, _ = open_household("kitchen", Wish("wait"), options)
    assert session.context.catalogue["pick"].retries == 0
    session, _ = open_household("kitchen", Wish("wait"))
    assert session.context.catalogue["pick"].retries != 0
    assert read_agent().settings.tick_hz != 20
