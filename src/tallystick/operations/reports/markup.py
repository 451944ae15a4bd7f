"""HTML that is safe by the way it is made: text is escaped unless it was made here."""

from collections.abc import Iterable
from html import escape

from tallystick.operations.reports.harmless import shown


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | None | Iterable["Child"]
_EMPTY = frozenset({"meta", "rect", "line", "path", "br"})


def el(tag: str, /, *children: Child, **attributes: object) -> Markup:
    """An element. Attributes that are None or empty are left out; `class_` is class, `stroke_width` stroke-width."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(shown(str(value)), quote=True)}"'
        for key, value in attributes.items()
        if value not in (None, "")
    )
    if tag in _EMPTY and not children:
        return Markup(f"<{tag}{said}>" if tag in ("meta", "br") else f"<{tag}{said}/>")
    return Markup(f"<{tag}{said}>{text(children)}</{tag}>")


def text(child: Child) -> Markup:
    """Children one behind the other; what is no markup is escaped."""
    if child is None:
        return Markup()
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return Markup(escape(shown(child), quote=True))
    return Markup("".join(text(each) for each in child))
