#!/usr/bin/env python3
"""A record is rewritten, and every sum and the chain made anew. Expects: rewritten, exit 6."""
import sys
from forge import Journal

journal = Journal(sys.argv[1])
segment, (at, _, _, _, length, _) = journal.frame_with(b"line-2")
segment.data[at + 48:at + 48 + length] = segment.data[at + 48:at + 48 + length].replace(b"line-2", b"line-X")
journal.save(lock=sys.argv[2])
