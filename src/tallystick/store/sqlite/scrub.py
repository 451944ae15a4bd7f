"""Overwrites bytes that SQLite leaves in its pages although nothing refers to them any more.

With `secure_delete` a deleted cell is overwritten. But when a page was rebuilt to make room, an older copy of a cell
may remain in the space between the page's pointers and its cells, and deleting the cell does not reach that copy. The
space has no meaning to SQLite (https://www.sqlite.org/fileformat2.html#b_tree_pages), so it can be overwritten in
place, while the write lock is held and the WAL is empty.
"""

from collections.abc import Iterator
from struct import unpack_from

import apsw

_HEADER_BYTES = {0x02: 12, 0x05: 12, 0x0A: 8, 0x0D: 8}
"""By the first byte of a b-tree page. Any other page begins with a page number, below 2^25 up to 128 GiB."""
_FILE_HEADER_BYTES = 100
_PAGES_PER_READ = 256


def overwrite_unused(path: str) -> int:
    """Overwrite unused bytes inside the pages of a database file with zeros; returns the number of changed pages.

    Connections that cached such a page have to drop it: a change committed under the same lock makes them do so.
    """
    # Through SQLite's own file object: closing any other handle of the file would drop the locks of this process.
    file = apsw.VFSFile("", path, [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READWRITE, 0])
    try:
        changed = 0
        for at, page in _pages(file):
            spans = list(unused_spans(page, is_first=at == 0))
            for start, end in spans:
                file.xWrite(bytes(end - start), at + start)
            changed += bool(spans)
        if changed:
            file.xSync(apsw.SQLITE_SYNC_FULL)
        return changed
    finally:
        file.xClose()


def unused_spans(page: bytes, *, is_first: bool = False) -> Iterator[tuple[int, int]]:
    """The spans of a b-tree page that are unused and not zero."""
    header = _FILE_HEADER_BYTES if is_first else 0
    size = _HEADER_BYTES.get(page[header])
    if size is None:
        return
    free, cells, content = unpack_from(">HHH", page, header + 1)
    spans = [(header + size + 2 * cells, content or 65536)]
    while free:
        following, length = unpack_from(">HH", page, free)
        spans.append((free + 4, free + length))
        free = following if following > free else 0
    for start, end in spans:
        if end <= len(page) and page.count(0, start, end) < end - start:
            yield start, end


def _pages(file: apsw.VFSFile) -> Iterator[tuple[int, bytes]]:
    (size,) = unpack_from(">H", file.xRead(_FILE_HEADER_BYTES, 0), 16)
    size = 65536 if size == 1 else size
    total = file.xFileSize()
    for chunk in range(0, total, size * _PAGES_PER_READ):
        data = file.xRead(min(size * _PAGES_PER_READ, total - chunk), chunk)
        for start in range(0, len(data), size):
            yield chunk + start, data[start : start + size]
