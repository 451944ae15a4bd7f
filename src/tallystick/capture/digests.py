"""Digests without the package around them: importing `hashlib` brings OpenSSL along."""

from __future__ import annotations


def digest(content: bytes, key: bytes = b"", size: int = 16) -> str:
    """BLAKE2b in hex, as the journal takes it."""
    try:
        from _blake2 import blake2b
    except ImportError:  # an interpreter that was built without it
        from hashlib import blake2b

    return blake2b(content, digest_size=size, key=key).hexdigest()
