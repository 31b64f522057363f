#!/usr/bin/env python3
"""A leaf of the kept tiles is another, and their state says the root that comes of it. Expects: not believed."""
import glob, hashlib, json, os, sys

tlog = os.path.join(sys.argv[1], ".annals/tlog")
node = lambda left, right: hashlib.sha256(b"\1" + left + right).digest()


def root(hashes):
    if len(hashes) == 1:
        return hashes[0]
    left = 1 << (len(hashes) - 1).bit_length() - 1
    return node(root(hashes[:left]), root(hashes[left:]))


path, = glob.glob(tlog + "/tile/0/000.p/*")
data = open(path, "rb").read()
hashes = [data[at:at + 32] for at in range(0, len(data), 32)]
hashes[3] = hashlib.sha256(b"never was").digest()
open(path, "wb").write(b"".join(hashes))
state = json.load(open(tlog + "/state.json"))
state["root"] = list(root(hashes))
json.dump(state, open(tlog + "/state.json", "w"))
