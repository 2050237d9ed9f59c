"""ReportLab's paragraph, which remembers its lines: the layout asks for the same width again and again."""

from typing import Any

from reportlab.platypus import Paragraph


class Words(Paragraph):  # type: ignore[misc]
    """A paragraph that breaks its lines once for each width."""

    _wrapped: tuple[float, float, float] | None = None

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """The width taken and the height of all lines, in points."""
        if self._wrapped is None or self._wrapped[0] != wide:
            width, height = super().wrap(wide, high)
            self._wrapped = wide, width, height
        return self._wrapped[1], self._wrapped[2]

    def split(self, wide: float, high: float) -> list[Any]:
        """Two paragraphs, the first no higher than `high`; nothing if that cannot be done well."""
        self.wrap(wide, high)
        lines = vars(self)["blPara"]
        parts = list(super().split(wide, high))
        self.blPara = lines  # a split that fails forgets them
        return parts
