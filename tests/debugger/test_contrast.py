"""Text of the pages can be read: WCAG's level AA asks for a contrast of 4.5 to 1, in the light and in the dark."""

import re

import pytest

from foretree.debugger.bundle import bundle

#: Colours of text, and what each is on.
PAIRS = [
    *(("ink", ground) for ground in ("paper", "box", "room", "found")),
    *(("faint", ground) for ground in ("paper", "box", "room")),
    *(
        (tone, ground)
        for tone in ("running", "failure", "fault", "added", "removed")
        for ground in ("paper", "box")
    ),
    ("question", "box"),
    ("running", "found"),
    *(("on-status", tone) for tone in ("success", "failure", "running", "invalid")),
]


def themes():
    light, dark = re.findall(r":root \{(.*?)\}", bundle("app.css").decode(), re.DOTALL)
    return {"light": light, "dark": dark}


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_of_text(theme):
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", themes()[theme]))
    low = {}
    for text, ground in PAIRS:
        one, other = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
        if (one + 0.05) / (other + 0.05) < 4.5:
            low[f"{text} on {ground}"] = round((one + 0.05) / (other + 0.05), 2)
    assert low == {}
