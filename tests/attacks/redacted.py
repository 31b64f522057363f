#!/usr/bin/env python3
"""What a redaction could hide, with every sum made anew and the chain as it is: FOLDER, then one of

unordered  a payload is destroyed that no event orders to go. Expects: redacted without an order, exit 3.
leaf       what is left of an ordered one is exchanged. Expects: leaf changed, exit 3.
beside     a record of the same commit is another, which no chain vouches for any more. Expects: leaf changed, exit 3.
before     all that came before is rewritten, up to the commit whose chain cannot be computed. Expects: chain broken, exit 3.
undone     the segment is as it was before (FOLDER/../whole). Expects: not redacted, exit 1."""
import glob, os, shutil, struct, sys
from forge import Journal, blake3, link

REDACTED, FIRST, LAST = 16, 1, 2
root, way = sys.argv[1:]
journal = Journal(root)
segment = journal.segments[0]
frames = segment.frames


def gone():
    """The first redacted frame."""
    return next(frame for frame in frames if frame[3] & REDACTED)


def sums(frame):
    at, end, *_ = frame
    struct.pack_into("<I", segment.data, at + 4, segment.crc(at, segment.data[at + 8:at + 48]))
    struct.pack_into("<I", segment.data, end - 4, segment.crc(at, segment.data[at:end - 4]))


def letter(frame):
    """Another letter in a payload."""
    at, _, _, _, length, _ = frame
    place = next(i for i in range(at + 48, at + 48 + length) if 0x61 <= segment.data[i] < 0x7a)
    segment.data[place] += 1


if way == "unordered":
    _, frame = journal.frame_with(b"echo keep")
    at, end, _, flags, length, body = frame
    inner = blake3(bytes(segment.data[at + 32:at + 48 + length]))
    segment.data[at + 32:at + 64] = inner
    segment.data[at + 64:at + 48 + body] = b"\xff" * (body - 16)
    segment.data[at + 14] |= REDACTED
    sums(frame)
elif way == "leaf":
    segment.data[gone()[0] + 40] ^= 1
    sums(gone())
elif way == "beside":
    place = frames.index(gone())
    first = max(i for i in range(place + 1) if frames[i][3] & FIRST)
    last = min(i for i in range(place, len(frames)) if frames[i][3] & LAST)
    other = next(frame for frame in frames[first:last + 1] if not frame[3] & REDACTED)
    letter(other)
    sums(other)
elif way == "before":
    place = frames.index(gone())
    first = max(i for i in range(place + 1) if frames[i][3] & FIRST)
    letter(frames[first - 1])
    rest, segment.frames = frames[first:], frames[:first]
    segment.seal(link(bytes(32), segment.id))
    segment.frames += rest
elif way == "undone":
    whole = Journal(os.path.join(root, "../whole")).segments[0]
    end = whole.frames[-1][1]
    segment.data[4096:end] = whole.data[4096:end]

open(segment.path, "wb").write(segment.data)
look = os.path.join(journal.folder, "../look.json")
if os.path.exists(look):
    os.remove(look)
