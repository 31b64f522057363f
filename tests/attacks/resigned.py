#!/usr/bin/env python3
"""A checkpoint's text is signed anew: by another key, or (`own`) by the one that was stolen. Usage: resigned.py NOTE
KEY-FILE own|other; writes NOTE.again. Expects: wrong key where it is another's, unknown signing where the journal tells of no
such signing, exit 6."""
import base64, hashlib, sys

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Y = 4 * pow(5, P - 2, P) % P
X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
BASE = (X, Y, 1, X * Y % P)


def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, it=BASE):
    found = (0, 1, 1, 0)
    while scalar:
        found = add(found, it) if scalar & 1 else found
        it, scalar = add(it, it), scalar >> 1
    return found


def packed(it):
    inverse = pow(it[2], P - 2, P)
    x, y = it[0] * inverse % P, it[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def signed(seed, text):
    hashed = hashlib.sha512(seed).digest()
    secret = int.from_bytes(hashed[:32], "little") & (1 << 254) - 8 | 1 << 254
    public = packed(times(secret))
    nonce = int.from_bytes(hashlib.sha512(hashed[32:] + text).digest(), "little") % L
    r = packed(times(nonce))
    told = int.from_bytes(hashlib.sha512(r + public + text).digest(), "little")
    return public, r + ((nonce + told * secret) % L).to_bytes(32, "little")


note, key, whose = sys.argv[1:]
text = open(note, encoding="utf-8").read().split("\n\n")[0] + "\n"
lines = dict(line.split(" ", 1) for line in open(key).read().splitlines()[1:])
seed = base64.b64decode(lines["seed"]) if whose == "own" else b"another's".ljust(32, b"\0")
public, signature = signed(seed, text.encode())
name, material = lines["name"], b"\1" + public
key_id = hashlib.sha256(name.encode() + b"\n" + material).digest()[:4]
open(note + ".again", "w", encoding="utf-8").write(
    f"{text}\n— {name} {base64.b64encode(key_id + signature).decode()}\n")
print(f"{name}+{key_id.hex()}+{base64.b64encode(material).decode()}")
