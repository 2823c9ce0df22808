"""Writing pictures as GIF, with Pillow, and as MP4, with ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from foretree.errors import ForetreeError

if TYPE_CHECKING:
    from PIL.Image import Image

#: Colours of a GIF. More make it larger, and are not told apart in flat drawings.
_COLOURS = 128

#: GIF counts in hundredths of a second, and browsers slow down what changes faster than this.
_SHORTEST = 0.02


class EncodingError(ForetreeError):
    """Ffmpeg is missing, or could not write a video."""


def write_gif(
    frames: Iterable[tuple[Image, float]], samples: Sequence[Image], colours: Sequence[str], file: Path
) -> None:
    """Write pictures as a GIF that repeats.

    Args:
        frames: the pictures, and for how many seconds each is shown.
        samples: some of them that have all their colours.
        colours: the colours that they are drawn with.
        file: where.
    """
    palette = _palette(samples, colours)
    durations: list[int] = []
    pictures = _quantized(frames, palette, durations)
    first = next(pictures)
    rest = list(pictures)  # Pillow wants all durations before it writes
    first.save(
        file, "GIF", save_all=True, append_images=rest, duration=durations, loop=0, disposal=1, optimize=True
    )


def _palette(samples: Sequence[Image], colours: Sequence[str]) -> Image:
    """One palette for all pictures, so that what stays the same has the same colours in all.

    The colours that are drawn with are kept as they are; those at the edges of shapes are approximated.
    """
    from PIL import Image, ImageColor

    kept = list(dict.fromkeys(ImageColor.getrgb(colour)[:3] for colour in colours))
    found = {
        colour: None
        for sample in samples
        for _, colour in sample.getcolors(sample.width * sample.height) or ()
        if isinstance(colour, tuple)
    }
    edges = Image.new("RGB", (len(found), 1))
    edges.putdata(list(found))
    few = edges.quantize(_COLOURS - len(kept), Image.Quantize.MEDIANCUT).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for colour in kept for part in colour), *few][: 3 * _COLOURS])
    return palette


def _quantized(
    frames: Iterable[tuple[Image, float]], palette: Image, durations: list[int]
) -> Iterator[Image]:
    """The pictures in the colours of a palette; equal ones in a row are one that is shown longer."""
    from PIL import Image

    before: bytes | None = None
    late = 0.0
    for picture, seconds in frames:
        drawn = picture.quantize(palette=palette, dither=Image.Dither.NONE)
        data = drawn.tobytes()
        # Rounding adds up to nothing.
        hundredths = max(round((seconds + late) * 100), 0)
        late += seconds - hundredths / 100
        if data == before:
            durations[-1] += 10 * hundredths
            continue
        before = data
        durations.append(max(10 * hundredths, round(1000 * _SHORTEST)))
        yield drawn


def write_mp4(frames: Iterable[tuple[Image, float]], size: tuple[int, int], rate: int, file: Path) -> None:
    """Write pictures as a video with H.264, at *rate* frames a second.

    Raises:
        EncodingError: ffmpeg is missing or fails.
    """
    sides = f"{size[0]}x{size[1]}"
    command = [_ffmpeg(), "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", sides]
    command += ["-r", str(rate), "-i", "-", "-an", "-c:v", "libx264", "-preset", "slow", "-crf", "20"]
    command += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", str(file)]
    file.open("ab").close()  # a folder that is not there is better said by the system than by ffmpeg
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    late = 0.0
    try:
        for picture, seconds in frames:
            count = round((seconds + late) * rate)
            late += seconds - count / rate
            data = picture.tobytes()
            for _ in range(count):
                process.stdin.write(data)
    except BrokenPipeError:
        pass  # it says why on its standard error
    said = process.communicate()[1].decode(errors="replace").strip()
    if process.returncode:
        raise EncodingError(
            f"ffmpeg could not write {file}: {said.splitlines()[-1] if said else 'no reason given'}"
        )


def _ffmpeg() -> str:
    """The path of ffmpeg: that on the path, or that of the extra."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise EncodingError(
            "MP4 takes ffmpeg, which is not on the path. Install it, or: pip install 'foretree[film]'. "
            "A .gif file takes nothing more."
        ) from error
