"""``foretree show --film``, driven as a user drives it."""

from __future__ import annotations

import pytest
from PIL import Image

from foretree.cli import main


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def foretree(home, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORETREE_HOME", str(home))

    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        out, err = capsys.readouterr()
        return left.value.code, out, err

    if not (home / "runs").exists():
        assert run("run", "open the fridge", "--id", "fridge", "--plain")[0] == 0
    return run


def test_a_film_instead_of_the_tree(foretree):
    code, out, err = foretree("show", "fridge", "--film", "fridge.gif", "--speed", "10", "--width", "400")
    assert (code, err) == (0, "")
    assert out.startswith("Wrote fridge.gif: ")
    assert out.count("\n") == 1
    assert Image.open("fridge.gif").size[0] == 400


def test_a_film_up_to_a_tick(foretree):
    whole, part = (
        foretree("show", "fridge", "--film", "a.gif", "--width", "320", *more)[1]
        for more in ((), ("--tick", "5"))
    )
    assert whole != part


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--film", "a.avi"), "A film is a .gif or an .mp4 file, which a.avi is not."),
        (("--film", "a.gif", "--width", "5"), "A film is 320 to 3840 pixels wide, not 5."),
        (("--film", "a.gif", "--speed", "0"), "A film needs a --speed above 0."),
        (("--film", "a.gif", "--html", "a.html"), "--html and --film write different files"),
        (("--film", "no/a.gif", "--width", "320"), "Cannot write no/a.gif: No such file or directory."),
        (("--speed", "2"), "--speed and --width are for films: say where to write one with --film FILE."),
        (("--width", "400"), "--speed and --width are for films"),
    ],
)
def test_mistakes(foretree, arguments, says):
    code, _, err = foretree("show", "fridge", *arguments)
    assert code == 2
    assert err.startswith(f"foretree: {says}")
    assert err.count("\n") == 1
