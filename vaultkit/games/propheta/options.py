"""The house rules of Propheta, each with the ruling that it settles."""

from dataclasses import dataclass

from vaultkit.games.options import Option, Value

HIGHEST_TARGET = 500


@dataclass(frozen=True, slots=True)
class Target(Option):
    """VA-19: `values` are only examples; any whole number from 1 to HIGHEST_TARGET is taken."""

    @property
    def accepted(self) -> str:
        return f"{self.default} (default), points from 1 to {HIGHEST_TARGET}"

    def parse(self, given: object) -> Value:
        text = str(given).strip().lower()
        if text == self.default:
            return self.default
        if text.isdecimal() and 1 <= int(text) <= HIGHEST_TARGET:
            return int(text)
        raise self.refusal(given)


OPTIONS = (
    Option("follow", "VA-4", ("none", "element"), "Whether the lead element must be followed; numbers never must."),
    Option("zero_tiebreak", "VA-9", ("normal", "literal"), "Whether a losing 0 undoes the tie-break by modality."),
    Option("reveal", "VA-12", ("sequential", "simultaneous"), "Prophecies are turned up in turn, or all at once."),
    Option("leak_guard", "VA-12", ("true", "false"), "Ask after each trick even who has no prophecy to turn up."),
    Option("tiebreak", "VA-18", ("shared", "predictions", "tricks"), "Who wins a single deal that ends level."),
    Target("target", "VA-19", ("none", 20, 36), "One deal, or as many as it takes somebody to reach so many points."),
    Option("first", "VA-20", ("random", 0, 1, 2, 3, "winner-of-last"), "Which seat leads first."),
    Option("memory", "VA-22", ("open", "last-trick"), "Whether all tricks can be looked at, or only the last one."),
)
