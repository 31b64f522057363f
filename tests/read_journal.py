#!/usr/bin/env python3
"""Reads an annals journal (a folder or one .seg file), from journal-format/FORMAT.md alone, and writes its
events, commit ends and findings as JSON, one a line. Needs blake3 and zstandard (PyPI)."""
import hashlib, json, os, re, sys, zlib
from struct import pack, unpack_from
import blake3, zstandard

FIRST, LAST, COMPRESSED, MASKED, REDACTED, UNKNOWN = 1, 2, 4, 8, 16, 0xC0
PAYLOAD_MAX, CONTROL, SECTOR = 12582912, 0xFF00, 512

link = lambda previous, data: blake3.blake3(b"annals chain v1\0" + previous + data).digest()
emit = lambda **line: print(json.dumps(line))

def header_copy(c):
    if len(c) < 256 or c[:8] != b"\x89ANNALS\n" or zlib.crc32(c[:252]) != unpack_from("<I", c, 252)[0]:
        return None
    if unpack_from("<I", c, 8)[0] != 1 or unpack_from("<I", c, 24)[0] != 0:
        sys.exit("a segment of a format this reader does not know")
    return dict(zip("journal number first nonce last end chain".split(), unpack_from("<16sQQ16sQQ32s", c, 32)))

class Segment:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        self.copies = [header_copy(self.data[at:at + 256]) for at in (0, 2048)]
        self.header, self.bound, self.witness = self.copies[0] or self.copies[1], None, 0
    def crc(self, at, data):  # 3.1
        return zlib.crc32(data, zlib.crc32(pack("<Q", at), zlib.crc32(self.header["nonce"])))
    def sound(self, at):  # 3.4
        h = self.data[at:min(at + 48, self.end)]
        if len(h) < 48 or h[:4] != b"\xa7\x4a\x52\x4e" or self.crc(at, h[8:]) != unpack_from("<I", h, 4)[0]:
            return None
        names = ("length", "kind", "flags", "version", "sequence", "time", "salt")
        f = dict(zip(names, unpack_from("<IHBBQQ16s", h, 8)), at=at)
        f["body"], f["event"] = max(16, (f["length"] + 7) // 8 * 8), f["kind"] < CONTROL
        f["end"] = at + 48 + f["body"] + (56 if f["flags"] & LAST else 0) + 8
        return None if f["length"] > PAYLOAD_MAX or f["flags"] & UNKNOWN else f
    def valid(self, f):  # 3.4
        at, end = f["at"], f["end"]
        sums = (end - at, self.crc(at, self.data[at:end - 4]))
        return end <= self.end and unpack_from("<II", self.data, end - 8) == sums
    def trailer(self, f):  # 4: first sequence, commit length, durable, chain
        return unpack_from("<QQQ32s", self.data, f["at"] + 48 + f["body"])
    def payload(self, f):  # 3.2
        data = self.data[f["at"] + 48:f["at"] + 48 + f["length"]]
        if f["flags"] & MASKED:
            data = bytes(byte ^ f["salt"][i % 16] for i, byte in enumerate(data))
        if f["flags"] & COMPRESSED:
            raw = unpack_from("<I", data)[0]
            assert raw <= min(PAYLOAD_MAX, 65536 + 1024 * f["length"]), "a claim beyond the limits"
            data = zstandard.ZstdDecompressor().decompress(data[4:], max_output_size=raw)
        return data
    def next_sound(self, at, end):
        return next((f for f in map(self.sound, range((at + 7) // 8 * 8, end - 47, 8)) if f), None)
    def look_ahead(self, at):  # 5: where the zeros begin, and what stands before them
        self.zeros = min((max(at, len(self.data[:self.end].rstrip(b"\0"))) + 7) // 8 * 8, self.end)
        self.last_first, self.vouched, f = -1, 0, self.next_sound(at, self.zeros)
        while f:
            good = self.valid(f)
            self.last_first = f["at"] if good and f["flags"] & FIRST else self.last_first
            self.vouched = max(self.vouched, self.trailer(f)[2] if good and f["flags"] & LAST else 0)
            f = self.next_sound(f["end"] if good else f["at"] + 8, self.zeros)
    def unwritten(self, start, end, to_the_zeros):  # 5.1
        after = (start // SECTOR + 1) * SECTOR
        parts = [(start, after), (max(end - 8, start), end)] + [(a, a + SECTOR) for a in range(after, end - 511, SECTOR)]
        if end > len(self.data) or any(not self.data[a:b].strip(b"\0") for a, b in parts):
            return True
        size, crc = unpack_from("<II", self.data, end - 8)
        left = end - start - size
        return to_the_zeros and not (size >= 72 and size % 8 == 0 and crc and (left == 0 or left >= 72))

def walk(s):
    """Section 5: from frame to frame, commit by commit. Returns the chain at the end, if known."""
    h, n = s.header, s.header["number"]
    s.end, s.zeros = min(len(s.data) if s.bound is None else s.bound, len(s.data)), None
    chain = h["chain"] if n else link(bytes(32), h["journal"])
    at, last, durable, known, frames, damaged, told = 4096, h["first"] - 1, 0, True, [], False, False
    def close(trailer):
        nonlocal chain, known, durable, frames, damaged
        start = frames[0]["at"] if frames else at
        whole = bool(trailer and not damaged and frames[0]["flags"] & FIRST
                     and trailer[:2] == (frames[0]["sequence"], at - start))
        for f in (f for f in frames if f["event"]):
            data = None if f["flags"] & REDACTED else s.payload(f)
            digest = data is not None and hashlib.sha256(data).hexdigest()
            emit(event=f["sequence"], kind=f["kind"], version=f["version"], time_ms=f["time"], whole=whole, sha256=digest)
        clear = whole and not any(f["flags"] & REDACTED for f in frames)
        if clear and known and link(chain, s.data[start:at - 40]) != trailer[3]:
            emit(finding="chain broken", segment=n, offset=start)
        control = bool(frames) and not frames[-1]["event"]
        if trailer and not control:
            chain, durable = trailer[3], max(durable, trailer[2])
            emit(commit=last, chain=chain.hex())
        known, frames, damaged = bool(trailer), [], False
        return whole and control  # ROLL or SEAL
    while True:
        f = s.sound(at)
        if f and f["flags"] & FIRST and (frames or damaged):
            close(None)
        if f and s.valid(f):
            ordered, at = not f["event"] or f["sequence"] > last, f["end"]
            frames += [f] * ordered
            last = f["sequence"] if ordered and f["event"] else last
            damaged = damaged or not ordered
            if not ordered:
                emit(finding="out of order", segment=n, offset=f["at"])
            if f["flags"] & LAST and close(s.trailer(f) if ordered else None):
                return chain, True
            continue
        s.zeros is None and s.look_ahead(at)
        first = frames[0]["sequence"] if frames else f["sequence"] if f else last + 1
        witnessed = s.bound is not None or max(s.witness, s.vouched, durable) >= first
        found = None if f or at >= s.zeros else s.next_sound(at + 8, s.zeros)
        end = f["end"] if f else found["at"] if found else s.zeros
        torn, start = "acknowledged loss" if witnessed else "torn tail", frames[0]["at"] if frames else at
        if not f and at >= s.zeros:  # only zeros follow
            missing = s.bound is not None and at < s.end or bool(frames or s.witness > last) and witnessed
            if frames and not witnessed or missing and not told:
                emit(finding=torn, segment=n, offset=at if witnessed else start)
            if frames and witnessed:
                close(None)
            return chain, known and not missing
        if not s.unwritten(at, end, not f and not found):
            torn = "damage"
        elif not witnessed:
            emit(finding="unsynced hole" if s.last_first > at else torn, segment=n, offset=start)
            return chain, known
        emit(finding=torn, segment=n, offset=at)
        told = told or torn != "damage" and not f and not found
        last = max(last, f["sequence"] if f and f["event"] else found["sequence"] - 1 if found else last)
        at, damaged = min(end, s.end), True
        if f and f["flags"] & LAST or not f and not found:
            close(None)

def main(path):
    folder, before = os.path.isdir(path), (None, False)
    names = sorted(filter(re.compile(r"\d{10}-\d{20}\.seg").fullmatch, os.listdir(path)) if folder else [""])
    segments = [Segment(os.path.join(path, it) if folder else path) for it in names]
    for s, after in zip(segments, segments[1:]):
        if s.header and after.header:
            s.bound, s.witness = after.header["end"], after.header["last"]
    for name, s in zip(names, segments):
        if not all(s.copies):
            emit(finding="header copy damaged" if s.header else "header damaged", segment=s.header["number"] if s.header else int(name[:10]), offset=0)
        h = s.header
        begins = h and not h["last"] | h["end"] and h["chain"] in (bytes(32), link(bytes(32), h["journal"]))
        if h and (h["number"] == 0 and not begins or before[1] and before[0] != h["chain"]):
            emit(finding="chain broken", segment=h["number"], offset=0)
        before = walk(s) if s.header else (None, False)

main(sys.argv[1])
