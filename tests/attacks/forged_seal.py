#!/usr/bin/env python3
"""The root in a seal is another, and every sum and the chain made anew. Expects: seal broken, exit 3."""
import sys
from forge import Journal

journal = Journal(sys.argv[1])
segment = journal.segments[0]
at, *_ = next(it for it in segment.frames if it[2] == 0xFF02)
segment.data[at + 48 + 8] ^= 1
journal.save(lock=sys.argv[2])
