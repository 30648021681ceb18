"""Films: the pictures of a run one after another, as .gif, .mp4 or a page that plays."""

from __future__ import annotations

import base64
import html
import io
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, extra_package, message
from linkwork.result.result import Result
from linkwork.view import paper
from linkwork.view.build import build
from linkwork.view.canvas import new_figure, style, write_bytes
from linkwork.view.page.write import Page, checked_file, fitting_speed, page, positive
from linkwork.view.pen import Pen
from linkwork.view.poses import nearest
from linkwork.view.scene import Scene
from linkwork.view.space import show_in_space

MOST = 5000  # pictures of a film
KINDS = (".gif", ".mp4", ".html")


@dataclass(frozen=True)
class Film:
    """A film that was written to `path`; a notebook plays it."""

    path: Path

    def _repr_html_(self) -> str:
        data, name = self.path.read_bytes(), html.escape(self.path.name, quote=True)
        if self.path.suffix.lower() == ".html":
            return Page(data.decode("utf-8"), self.path.name)._repr_html_()
        coded = base64.b64encode(data).decode("ascii")
        if self.path.suffix.lower() == ".gif":
            return f'<img src="data:image/gif;base64,{coded}" alt="film {name}" style="max-width:100%">'
        return (
            f'<video controls loop style="max-width:100%" title="film {name}">'
            f'<source src="data:video/mp4;base64,{coded}" type="video/mp4"></video>'
        )


@explained
def animate(
    run: Any,
    file: Any,
    *,
    fps: float = 25,
    speed: float | None = None,
    size: tuple[float, float] | None = None,
    dpi: int | None = None,
    view: Any = "perspective",
    trace: Any = (),
    names: Any = True,
    color: Any = None,
    arrows: Any = (),
    frames: bool = False,
    limits: Any = None,
) -> Film:
    """Write a film of a result: .gif, .mp4, or .html, a page that plays at once; a notebook plays what comes back.

    `fps` pictures a second show `speed` seconds of the motion a second: 1, or slower where all of it lasts less than a
    second.  Each shows the stored time that is nearest, so a result needs outputs that are as dense as the film.
    Pictures have a `size` in inches, (8, 6), and `dpi` dots an inch, 100; a page fills its window.  `view`, `trace`,
    `names`, `color`, `arrows`, `frames` and `limits` are those of `draw`.
    """
    path = _checked(run, file, fps, speed)
    speed = fitting_speed([run]) if speed is None else speed
    options = dict(trace=trace, names=names, color=color, arrows=arrows, frames=frames, limits=limits)
    count = int(np.floor((run.t[-1] - run.t[0]) / speed * fps + 1e-9)) + 1
    if count > MOST:
        raise DescriptionError(
            message(
                f"{path}:",
                "would have too many pictures",
                count,
                f"at most {MOST}",
                f"give speed={_above((run.t[-1] - run.t[0]) * fps / (MOST - 1)):g} or more, or a smaller fps",
            )
        )
    rows = nearest(run.t, run.t[0] + np.arange(count) * speed / fps)
    if path.suffix.lower() == ".html":
        if size is not None or dpi is not None:
            raise DescriptionError(
                message(
                    f"{path}:", "is a page, which has no size: it fills its window", remedy="leave out size and dpi"
                )
            )
        page(run, path, play=True, speed=speed, view=view, rows=np.unique(rows), **options)
        return Film(path)
    size, dpi = size or (8.0, 6.0), dpi or 100
    with style():
        scene = build(run, run, rows, gaps=False, **options)
        pictures = _flat(scene, size, dpi) if scene.dimension == 2 else _deep(scene, size, dpi, view)
        data = (_gif if path.suffix.lower() == ".gif" else _mp4)(pictures, fps)
    write_bytes(path, data)
    return Film(path)


def _above(value: float) -> float:
    """The next number of two digits that is not below."""
    step = 10.0 ** (np.floor(np.log10(value)) - 1.0)
    return float(np.ceil(value / step) * step)


def _checked(run, file, fps, speed) -> Path:
    if not isinstance(run, Result):
        raise DescriptionError(message("animate", "needs a result", type(run).__name__, "what simulate returns"))
    path = checked_file(file, "A film", KINDS)
    positive(fps, "animate", "fps")
    if speed is not None:
        positive(speed, "animate", "speed")
    if path.suffix.lower() != ".html":
        extra_package("PIL" if path.suffix.lower() == ".gif" else "imageio_ffmpeg", "A film", "film")
    return path


class KeptNames(Pen):
    """A pen that places names at the first time, and later keeps them beside their places, without lines to them."""

    def __init__(self, axes, point: float, beside: dict[tuple[str, int], np.ndarray] | None = None):
        from matplotlib.patheffects import withStroke

        super().__init__(axes, point)
        self.beside = {} if beside is None else beside
        self.placed = bool(self.beside)
        self.texts: list[str] = []
        self.halo = {"path_effects": [withStroke(linewidth=2.4, foreground="white")]}

    def remember(self, points, weight: float = 1.0) -> None:
        """Where it has drawn is asked for at the first time only."""
        if not self.placed:
            super().remember(points, weight)

    def hide(self, corners) -> None:
        """The same."""
        if not self.placed:
            super().hide(corners)

    def _size(self, text, size, italic):
        self.texts.append(text)
        return (0.0, 0.0) if self.placed else super()._size(text, size, italic)

    def _best(self, at, width, height, reach, inside):
        key = self.texts[-1], self.texts.count(self.texts[-1])  # two items may have one name
        if key not in self.beside:
            _, middle, box = super()._best(at, width, height, reach, inside)
            self.beside[key] = middle - at
            return 0.0, middle, box
        middle = at + self.beside[key]
        return 0.0, middle, (*middle, *middle)


class FilmPen(KeptNames):
    """A pen that draws once, and later moves what it has drawn: the same strokes in the same order, at every time."""

    keeps = True

    def __init__(self, axes, point: float):
        super().__init__(axes, point)
        self.drawn: list = []
        self.next = 0

    def again(self) -> None:
        """Begin with the next time."""
        self.next, self.texts, self.placed = 0, [], bool(self.beside)

    def _kept(self):
        """The artist that was drawn at this turn, or None at the first time."""
        self.next += 1
        return self.drawn[self.next - 1] if self.next <= len(self.drawn) else None

    def stroke(self, points, **options):
        """A line through points."""
        line = self._kept()
        if line is None:
            super().stroke(points, **options)
            self.drawn.append(self.axes.lines[-1])
        else:
            line.set_data(*np.asarray(points, dtype=float).T)

    def area(self, points, **options):
        """A filled polygon."""
        patch = self._kept()
        if patch is None:
            super().area(points, **options)
            self.drawn.append(self.axes.patches[-1])
        else:
            patch.set_xy(np.asarray(points, dtype=float))

    def circle(self, center, radius, **options):
        """A circle."""
        patch = self._kept()
        if patch is None:
            super().circle(center, radius, **options)
            self.drawn.append(self.axes.patches[-1])
        else:
            patch.center = tuple(center)

    def write(self, at, text, **options):
        """Words at a place."""
        words = self._kept()
        if words is None:
            super().write(at, text, **options)
            self.drawn.append(self.axes.texts[-1])
        elif words.get_position() != tuple(at) or words.get_text() != text:
            words.set_position(tuple(at))
            words.set_text(text)


def _flat(scene: Scene, size, dpi) -> Iterator[np.ndarray]:
    """Pictures of a planar scene, (height, width, 3) bytes."""
    figure = new_figure(tuple(size), "film")
    figure.set_dpi(dpi)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    inches, scale = paper.size_for(scene.low, scene.high, size)
    plain = paper.lay_out(axes, scene.low, scene.high, inches, scale)
    pen = FilmPen(axes, plain.point)
    for k in range(len(scene.poses)):
        pen.again()
        paper.show(scene, pen, k)
        figure.canvas.draw()
        yield np.asarray(figure.canvas.buffer_rgba())[..., :3]


def _deep(scene: Scene, size, dpi, view) -> Iterator[np.ndarray]:
    """Pictures of a scene of space."""
    beside: dict[tuple[str, int], np.ndarray] = {}
    for k in range(len(scene.poses)):
        pen = partial(KeptNames, beside=beside)
        figure = show_in_space(scene, k, size=size, view=view, file="film", pen=pen)
        figure.set_dpi(dpi)
        figure.canvas.draw()
        yield np.asarray(figure.canvas.buffer_rgba())[..., :3]


def _gif(frames: Iterator[np.ndarray], fps: float) -> bytes:
    """A film that goes on for ever, with the colours of its first picture."""
    from PIL import Image

    begin = next(frames)
    palette = Image.fromarray(begin).quantize(128, dither=Image.Dither.NONE)
    colors = np.array(palette.getpalette()).reshape(-1, 3)
    white = int(np.argmax(colors.sum(axis=1)))
    colors[white] = 255  # paper stays white: the nearest colour that is found is not always the same

    def picture(frame):
        found = np.array(Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE))
        found[(frame == 255).all(axis=2)] = white
        image = Image.fromarray(found).convert("P")
        image.putpalette(colors.astype(np.uint8).tobytes())
        return image

    first, others = picture(begin), (picture(one) for one in frames)
    memory = io.BytesIO()
    first.save(memory, "GIF", save_all=True, append_images=others, duration=max(20, round(1000.0 / fps)), loop=0)
    return memory.getvalue()


def _mp4(frames: Iterator[np.ndarray], fps: float) -> bytes:
    """H.264, with sides of an even number of dots as it wants them."""
    import imageio_ffmpeg

    first = next(frames)
    height, width = (one // 2 * 2 for one in first.shape[:2])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        writer = imageio_ffmpeg.write_frames(str(path), (width, height), fps=fps, macro_block_size=2, quality=8)
        writer.send(None)
        for one in chain([first], frames):
            writer.send(np.ascontiguousarray(one[:height, :width]))
        writer.close()
        return path.read_bytes()
