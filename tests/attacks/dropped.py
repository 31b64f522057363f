#!/usr/bin/env python3
"""A commit in the middle is taken out, what follows takes its numbers and place, and every sum and the chain are made
anew. Expects: cut or rewritten, exit 6."""
import struct, sys
from forge import Journal

journal = Journal(sys.argv[1])
segment, found = journal.frame_with(b"line-2")
at = segment.frames.index(found)
first = at
while not segment.frames[first][3] & 1:
    first -= 1
last = at
while not segment.frames[last][3] & 2:
    last += 1
begin, end = segment.frames[first][0], segment.frames[last][1]
gone, events = end - begin, sum(1 for it in segment.frames[first:last + 1] if it[2] < 0xFF00)
segment.data = segment.data[:begin] + segment.data[end:] + bytes(gone)
segment.frames = segment.frames[:first] + [(it[0] - gone, it[1] - gone, *it[2:]) for it in segment.frames[last + 1:]]
segment.end -= gone
for at, _, _, flags, _, body in segment.frames[first:]:
    sequence, = struct.unpack_from("<Q", segment.data, at + 16)
    struct.pack_into("<Q", segment.data, at + 16, sequence - events)
    if flags & 2:
        begun, length, durable = struct.unpack_from("<QQQ", segment.data, at + 48 + body)
        durable -= events if durable >= begun - 1 - events else 0
        struct.pack_into("<QQQ", segment.data, at + 48 + body, begun - events, length, durable)
journal.save(lock=sys.argv[2])
