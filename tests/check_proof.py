#!/usr/bin/env python3
"""Checks a proof that `annals prove inclusion` wrote, from journal-format/FORMAT.md alone, with nothing but Python.
Usage: check_proof.py PROOF [PUBLIC-KEY-LINE]. Ends with 0 where the record is in the signed tree, else 1."""
import base64, hashlib, struct, sys

sha256 = lambda *parts: hashlib.sha256(b"".join(parts)).digest()
node = lambda left, right: sha256(b"\1", left, right)

def root_of(leaf, index, size, path):  # RFC 9162, 2.1.3.2
    at, last, found = index, size - 1, leaf
    for beside in path:
        if last == 0: return None
        if at & 1 or at == last:
            found = node(beside, found)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            found = node(found, beside)
        at, last = at >> 1, last >> 1
    return found if last == 0 and index < size else None

# ed25519 (RFC 8032, 5.1.7), slowly.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P

def recovered(y, sign):
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    x = x * pow(2, (P - 1) // 4, P) % P if (x * x - x2) % P else x
    return None if (x * x - x2) % P or (x == 0 and sign) else P - x if x & 1 != sign else x

def point(data):
    number = int.from_bytes(data, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    x = recovered(y, sign)
    return None if x is None or y >= P else (x, y, 1, x * y % P)

def add(a, b):
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P

def times(scalar, it):
    found = (0, 1, 1, 0)
    while scalar:
        found = add(found, it) if scalar & 1 else found
        it, scalar = add(it, it), scalar >> 1
    return found

def is_signed(key, text, signature):
    a, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L: return False
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % L
    base = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    left, right = times(s, base), add(r, times(hashed, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0

def main(path, line=None):
    head, note = open(path, encoding="utf-8").read().split("\n\n", 1)
    first, extra, index, *hashes = head.split("\n")
    assert first == "c2sp.org/tlog-proof@v1", "this is no proof"
    leaf = base64.b64decode(extra.removeprefix("extra "), validate=True)
    index, hashes = int(index.removeprefix("index ")), [base64.b64decode(it, validate=True) for it in hashes]
    text, _, signatures = note.rstrip("\n").partition("\n\n")
    origin, size, root = text.split("\n")[:3]
    kind, flags, version, sequence, time_ms = struct.unpack_from("<HBBQQ", leaf, 4)
    holds = len(leaf) == 56 and root_of(sha256(b"\0", leaf), index, int(size), hashes) == base64.b64decode(root)
    signed = not line
    for it in signatures.split("\n") if line and signatures else []:
        name, data = it.removeprefix("— ").split(" ")
        key_name, key_id, key = line.split("+", 2)
        data, key = base64.b64decode(data), base64.b64decode(key)
        same = name == key_name and data[:4].hex() == key_id == sha256(name.encode(), b"\n", key)[:4].hex()
        signed |= same and is_signed(key[1:], (text + "\n").encode(), data[4:])
    print(f"event @{sequence}, kind {kind:04x}, in {origin} of {size}: holds {holds}, signed {signed}")
    return 0 if holds and signed else 1

sys.exit(main(*sys.argv[1:]))
