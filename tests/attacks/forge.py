"""What an attacker with write access and FORMAT.md can do to a journal: every sum and the chain made anew.

Needs nothing but Python. `Journal(folder)` reads the segments; change frames' bytes, then `seal()` and `save()`."""
import glob, os, struct, zlib

IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
MASK, START, END, PARENT, ROOT = 0xFFFFFFFF, 1, 2, 4, 8


def compress(chain, words, counter, length, flags):
    v = chain + IV[:4] + [counter & MASK, counter >> 32, length, flags]

    def turn(a, b, c, d, x, y):
        for by, word in ((16, x), (8, y)):
            v[a] = (v[a] + v[b] + word) & MASK
            v[d] ^= v[a]
            v[d] = (v[d] >> by | v[d] << (32 - by)) & MASK
            v[c] = (v[c] + v[d]) & MASK
            by = 12 if by == 16 else 7
            v[b] ^= v[c]
            v[b] = (v[b] >> by | v[b] << (32 - by)) & MASK

    for _ in range(7):
        for at, quad in enumerate(((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                                   (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))):
            turn(*quad, words[2 * at], words[2 * at + 1])
        words = [words[at] for at in ORDER]
    return [v[i] ^ v[i + 8] for i in range(8)]


def words(block):
    return list(struct.unpack("<16I", block.ljust(64, b"\0")))


def blake3(data):
    """The 32-byte hash of its definition, chunk by chunk."""
    def chunk(part, number, is_root):
        blocks, chain = [part[i:i + 64] for i in range(0, len(part), 64)] or [b""], IV
        for at, block in enumerate(blocks):
            flags = START * (at == 0) | END * (at == len(blocks) - 1)
            flags |= ROOT * (is_root and at == len(blocks) - 1)
            chain = compress(chain, words(block), number, len(block), flags)
        return chain

    def tree(part, number, is_root):
        if len(part) <= 1024:
            return chunk(part, number, is_root)
        left = 1 << ((len(part) - 1) // 1024).bit_length() - 1
        pair = tree(part[:left * 1024], number, False) + tree(part[left * 1024:], number + left, False)
        return compress(IV, pair, 0, 64, PARENT | ROOT * is_root)

    return struct.pack("<8I", *tree(data, 0, True))


def link(previous, data):
    return blake3(b"annals chain v1\0" + previous + data)


class Segment:
    def __init__(self, path):
        self.path, self.data = path, bytearray(open(path, "rb").read())
        _, self.id, self.number, _, self.nonce, _, _, self.chain = struct.unpack_from("<32s16sQQ16sQQ32s", self.data)
        self.frames, at = [], 4096
        while self.data[at:at + 4] == b"\xa7\x4a\x52\x4e":
            length, kind, flags = struct.unpack_from("<IHB", self.data, at + 8)
            body = max(16, (length + 7) // 8 * 8)
            end = at + 48 + body + 56 * (flags >> 1 & 1) + 8
            self.frames.append((at, end, kind, flags, length, body))
            at = end
        self.end = at

    def crc(self, at, data):
        return zlib.crc32(data, zlib.crc32(struct.pack("<Q", at), zlib.crc32(self.nonce)))

    def seal(self, chain):
        """Makes every sum and the chain anew; returns the chain at the end and where the last commit starts."""
        start = last = 4096
        for at, end, kind, flags, _, body in self.frames:
            if flags & 1:
                start = at
            struct.pack_into("<I", self.data, at + 4, self.crc(at, self.data[at + 8:at + 48]))
            if flags & 2:
                # The frame's own sum does not cover itself, and the chain's bytes end before the chain.
                self.resum(start, at)
                now = link(chain, bytes(self.data[start:at + 48 + body + 24]))
                self.data[at + 48 + body + 24:at + 48 + body + 56] = now
                if kind < 0xFF00:
                    chain, last = now, start
            struct.pack_into("<I", self.data, end - 4, self.crc(at, self.data[at:end - 4]))
        return chain, last

    def resum(self, start, before):
        for at, end, *_ in self.frames:
            if start <= at < before:
                struct.pack_into("<I", self.data, end - 4, self.crc(at, self.data[at:end - 4]))


class Journal:
    def __init__(self, folder):
        self.folder = os.path.join(folder, ".annals/journal")
        self.segments = [Segment(it) for it in sorted(glob.glob(self.folder + "/*.seg"))]
        self.lock = os.path.join(self.folder, "LOCK")

    def frame_with(self, text):
        """The first frame whose stored payload holds these bytes: its segment, and its place."""
        for segment in self.segments:
            for frame in segment.frames:
                at, _, _, _, length, _ = frame
                if text in segment.data[at + 48:at + 48 + length]:
                    return segment, frame
        raise SystemExit("no record has " + repr(text))

    def cut(self, commits):
        """Takes that many commits from the end, as if they had never been: zeros behind the rest."""
        segment = self.segments[-1]
        for _ in range(commits):
            while not segment.frames.pop()[3] & 1:
                pass
        segment.end = segment.frames[-1][1]
        segment.data[segment.end:] = bytes(len(segment.data) - segment.end)

    def save(self, lock):
        """Writes all of it; `lock`: what becomes of `LOCK`: kept, removed, or forged to say the same."""
        chain = None
        for segment in self.segments:
            chain, last = segment.seal(chain or link(bytes(32), segment.id) if segment.number == 0 else chain)
            os.chmod(segment.path, 0o600)
            open(segment.path, "wb").write(segment.data)
        if lock == "removed":
            os.remove(self.lock)
        if lock == "forged":
            at, *_ = segment.frames[-1]
            sequence, = struct.unpack_from("<Q", segment.data, at + 16)
            slots = bytearray(open(self.lock, "rb").read())
            for slot in (0, 1024):
                if slots[slot:slot + 8] == b"ANTAIL\x01\n":
                    struct.pack_into("<QQQQ32sQQ32s", slots, slot + 40, segment.number, last, segment.end, sequence,
                                     chain, segment.end, sequence, chain)
                    struct.pack_into("<I", slots, slot + 164, zlib.crc32(slots[slot:slot + 164]))
            open(self.lock, "wb").write(slots)
        # What the project remembers of its own bytes is the attacker's as well.
        look = os.path.join(self.folder, "../look.json")
        if os.path.exists(look):
            os.remove(look)
