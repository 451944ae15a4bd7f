"""What an agent tells those who watch, beside what it records: what it asked the journal, and what it saw.

Each message names the entry behind which it belongs. The agent goes on when it is answered, so that entries and
messages are shown in the order in which they happened.
"""

from msgspec import Struct, json

from tallystick.core.advice import Advice
from tallystick.operations.standing import DoubtItem, OwedItem


class Message(Struct, frozen=True, kw_only=True, tag=True):
    after: int
    """The sequence number of the last entry when it was sent."""


class InTheMiddle(Message, frozen=True, kw_only=True):
    """The effect of a step has happened, its end is not recorded, and the agent waits to be killed."""

    step: str
    seen: str


class GotBrief(Message, frozen=True, kw_only=True):
    text: str


class GotDoubts(Message, frozen=True, kw_only=True):
    items: tuple[DoubtItem, ...]


class Looked(Message, frozen=True, kw_only=True):
    tool: str
    seen: str


class GotAdvice(Message, frozen=True, kw_only=True):
    items: tuple[Advice, ...]


class GotOwed(Message, frozen=True, kw_only=True):
    items: tuple[OwedItem, ...]


AnyMessage = InTheMiddle | GotBrief | GotDoubts | Looked | GotAdvice | GotOwed

write = json.Encoder().encode
read = json.Decoder(AnyMessage).decode
