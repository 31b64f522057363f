#!/usr/bin/env python3
"""A footer that lists leaves which never were is put behind a seal. Expects: void bytes that nobody believes, exit 0 or 1."""
import hashlib, os, sys
from forge import Journal

journal = Journal(sys.argv[1])
segment = journal.segments[0]
leaves = b"".join(hashlib.sha256(bytes([at])).digest() for at in range(64))
segment.data[segment.end:segment.end + len(leaves)] = leaves
os.chmod(segment.path, 0o600)
open(segment.path, "wb").write(segment.data)
