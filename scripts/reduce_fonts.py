"""Generator of the font files in print/fonts, from the fonts as their makers publish them.

Usage: python -m scripts.reduce_fonts SOURCES

SOURCES is a folder with the full fonts under the names that print/fonts has. Characters are all kept; hinting and what
a PDF and a drawn card do not use are left out, and curves that differ by less than can be seen are one curve.
"""

import sys
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any, NamedTuple

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates, flagOnCurve

from scripts.web_fonts import FONTS

Point = tuple[float, float]


class Plan(NamedTuple):
    """A reduction of a font: its units per em, the units by which a curve may move, and the features it keeps."""

    units_per_em: int = 1000
    tolerance: float = 0.0
    features: tuple[str, ...] = ()


_SIGNS = Plan(tolerance=0.8)
PLANS = {
    "Cinzel-Bold": Plan(features=("kern", "lnum")),
    "NotoEmoji-Regular": Plan(256, 1.0),
    "NotoSansMath-Regular": _SIGNS,
    "NotoSansSymbols-Regular": _SIGNS,
    "NotoSansSymbols2-Regular": _SIGNS,
}
"""The plans of fonts that differ from others: web pages kern titles, and signs are drawn in less detail."""
_MAX_MERGED = 12
"""The maximum number of curves that become one."""
_STEPS = 16
"""The number of straight parts with which a curve is compared."""


class Curve(NamedTuple):
    """A quadratic curve, or a straight line if `control` is None."""

    start: Point
    control: Point | None
    end: Point

    def at(self, share: float) -> Point:
        """Return the point after that share of the curve."""
        middle = self.control or ((self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2)
        first, second, third = (1 - share) ** 2, 2 * share * (1 - share), share**2
        x, y = (first * a + second * b + third * c for a, b, c in zip(self.start, middle, self.end, strict=True))
        return x, y


def reduce_font(source: Path, plan: Plan) -> TTFont:
    """Return a font with all its characters and what `plan` says."""
    font = TTFont(source, recalcTimestamp=False)
    options = Options(layout_features=[*plan.features], hinting=False, glyph_names=False, notdef_outline=True)
    options.drop_tables += ["STAT", "DSIG", "MATH", "gasp", "prep", "vhea", "vmtx", "VORG"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[*font.getBestCmap()])
    subsetter.subset(font)
    scale = plan.units_per_em / font["head"].unitsPerEm
    for name in font.getGlyphOrder():
        glyph = font["glyf"][name]
        if plan.tolerance and glyph.numberOfContours > 0:
            _simplify(glyph, plan.tolerance / scale)
    if scale != 1:
        scale_upem(font, plan.units_per_em)
    for name in font.getGlyphOrder():
        glyph = font["glyf"][name]
        if plan.tolerance and glyph.numberOfContours > 0:
            _draw(glyph, [_without_implied(points) for points in _contours(glyph)])
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = font["hmtx"][name][0], getattr(glyph, "xMin", 0)
    return font


def _contours(glyph: Any) -> list[list[tuple[Point, bool]]]:
    """Return the points of each contour, each with whether it is on the curve."""
    starts = [0, *(end + 1 for end in glyph.endPtsOfContours)]
    points = [((x, y), bool(flag & flagOnCurve)) for (x, y), flag in zip(glyph.coordinates, glyph.flags, strict=True)]
    return [points[start:end] for start, end in pairwise(starts)]


def _draw(glyph: Any, contours: list[list[tuple[Point, bool]]]) -> None:
    points = [point for contour in contours for point in contour]
    glyph.coordinates = GlyphCoordinates([(round(x), round(y)) for (x, y), _ in points])
    glyph.flags = bytearray(flagOnCurve if is_on else 0 for _, is_on in points)
    ends = [len(contour) for contour in contours]
    glyph.endPtsOfContours = [sum(ends[: index + 1]) - 1 for index in range(len(ends))]
    glyph.numberOfContours = len(contours)


def _simplify(glyph: Any, tolerance: float) -> None:
    """Replace neighbouring curves of a glyph by one that is no further than `tolerance` from them."""
    contours = []
    for points in _contours(glyph):
        merged = _merge(_curves(points), tolerance)
        contours.append([each for curve in merged for each in _points_of(curve)])
    _draw(glyph, contours)


def _points_of(curve: Curve) -> list[tuple[Point, bool]]:
    return [(curve.start, True)] + ([(curve.control, False)] if curve.control else [])


def _curves(points: list[tuple[Point, bool]]) -> list[Curve]:
    """Return the curves of a contour, from its first point on a curve."""
    spelled: list[tuple[Point, bool]] = []
    for (point, is_on), (following, is_following_on) in zip(points, [*points[1:], points[0]], strict=True):
        spelled.append((point, is_on))
        if not (is_on or is_following_on):
            spelled.append((((point[0] + following[0]) / 2, (point[1] + following[1]) / 2), True))
    first = next(index for index, (_, is_on) in enumerate(spelled) if is_on)
    spelled = [*spelled[first:], *spelled[:first], spelled[first]]
    curves, start, control = list[Curve](), spelled[0][0], None
    for point, is_on in spelled[1:]:
        if not is_on:
            control = point
            continue
        if point != start:
            curves.append(Curve(start, control, point))
        start, control = point, None
    return curves


def _merge(curves: list[Curve], tolerance: float) -> list[Curve]:
    merged, index = list[Curve](), 0
    while index < len(curves):
        best, count = curves[index], 1
        for length in range(2, min(_MAX_MERGED, len(curves) - index) + 1):
            candidate = _one_curve(curves[index : index + length], tolerance)
            if candidate:
                best, count = candidate, length
            elif length > count + 2:
                break
        merged.append(best)
        index += count
    return merged


def _one_curve(curves: list[Curve], tolerance: float) -> Curve | None:
    """Return one curve in the place of several, None if it would be too far from them."""
    start, end = curves[0].start, curves[-1].end
    if start == end:
        return None
    samples = [curve.at(share / 4) for curve in curves for share in (1, 2, 3, 4)]
    first, last = curves[0].control or curves[0].end, curves[-1].control or curves[-1].start
    candidates = [Curve(start, None, end)]
    if control := _crossing(start, first, end, last):
        candidates.append(Curve(start, control, end))
    return next((each for each in candidates if _is_near(each, samples, tolerance)), None)


def _crossing(start: Point, first: Point, end: Point, last: Point) -> Point | None:
    """Return where the tangents at both ends meet, None if they do not between the ends."""
    (ax, ay), (bx, by) = (first[0] - start[0], first[1] - start[1]), (last[0] - end[0], last[1] - end[1])
    determinant = ax * by - ay * bx
    if abs(determinant) < 1e-9:
        return None
    dx, dy = end[0] - start[0], end[1] - start[1]
    along_start, along_end = (dx * by - dy * bx) / determinant, (dx * ay - dy * ax) / determinant
    return (start[0] + along_start * ax, start[1] + along_start * ay) if min(along_start, along_end) > 0 else None


def _is_near(candidate: Curve, samples: list[Point], tolerance: float) -> bool:
    """Return whether the samples are near the candidate, each further along it than the last."""
    places, index = [candidate.at(step / _STEPS) for step in range(_STEPS + 1)], 0
    for point in samples:
        while index < _STEPS - 1 and dist(point, places[index + 1]) <= dist(point, places[index]):
            index += 1
        spans = (places[each : each + 2] for each in range(max(0, index - 1), min(_STEPS, index + 1)))
        if min(_distance(point, *span) for span in spans) > tolerance:
            return False
    return True


def _distance(point: Point, start: Point, end: Point) -> float:
    """Return the distance of a point from a straight line between two others."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = max(0.0, min(1.0, ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length)) if length else 0.0
    return dist(point, (start[0] + share * dx, start[1] + share * dy))


def _without_implied(points: list[tuple[Point, bool]]) -> list[tuple[Point, bool]]:
    """Leave out the points in the middle of two control points, up to a rounding, which a reader of fonts adds."""
    kept = list[tuple[Point, bool]]()
    for index, (point, is_on) in enumerate(points):
        (before, is_before_on), (after, is_after_on) = points[index - 1], points[(index + 1) % len(points)]
        middle = ((before[0] + after[0]) / 2, (before[1] + after[1]) / 2)
        if not (is_on and index and not is_before_on and not is_after_on and dist(point, middle) <= 0.71):
            kept.append((point, is_on))
    return kept


def main() -> None:
    """Write each font of print/fonts anew from the folder on the command line."""
    for file in sorted(FONTS.glob("*.ttf")):
        reduce_font(Path(sys.argv[1], file.name), PLANS.get(file.stem, Plan())).save(file)


if __name__ == "__main__":
    main()
