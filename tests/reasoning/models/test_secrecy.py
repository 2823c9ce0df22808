"""Keys that must not be told."""

import pytest

from foretree.reasoning.models.secrecy import Secrets, address, origin


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://localhost:8000/v1", "http://localhost:8000/v1"),
        ("http://user:secret@host:8000/v1", "http://host:8000/v1"),
        ("https://secret@host/v1", "https://host/v1"),
        ("https://host/v1?key=secret", "https://host/v1"),
        ("user:secret@host/v1", "//host/v1"),
        ("http://user:secret@[::1/v1", "[::1/v1"),
        ("", ""),
    ],
)
def test_an_address_has_no_key(url, told):
    assert address(url) == told


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pass%2Fword@host",
        "http://pass%2Fword@host/v1",
        "user:pass%2Fword@host/v1",
        "http://host/v1?key=pass%2Fword",
    ],
)
def test_a_key_in_a_url_is_hidden_in_every_form(url):
    secrets = Secrets.of(url, "")
    assert secrets.hide("a pass/word and a pass%2Fword") == "a … and a …"


def test_the_header_made_of_it_is_hidden_too():
    assert Secrets.of("http://user:password@host/", "").hide("Basic dXNlcjpwYXNzd29yZA==") == "Basic …"


def test_a_key_within_another_is_no_help():
    assert Secrets.of("http://u:secret-and-more@h", "secret").hide("secret-and-more secret") == "… …"


@pytest.mark.parametrize("key", ["", "none", "x"])
def test_a_placeholder_is_no_key(key):
    assert Secrets.of("http://host/v1", key).hide("none of the x") == "none of the x"


def test_servers_differ_by_scheme_host_and_port():
    assert origin("http://Host/v1") == origin("http://host:80/other")
    assert origin("https://host") == origin("https://host:443")
    assert len({origin(url) for url in ("http://a", "https://a", "http://b", "http://a:81")}) == 4
