"""A langgraph store over annals: `AnnalsStore(Annals())`. Nothing is evicted; a read makes no ttl longer."""

import asyncio
from datetime import datetime

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

OPS = {GetOp: "kv_get", PutOp: "kv_put", SearchOp: "kv_search", ListNamespacesOp: "kv_namespaces"}


class AnnalsStore(BaseStore):
    supports_ttl = True

    def __init__(self, annals, branch="root"):
        self.annals, self.branch = annals, branch

    def batch(self, ops):
        ops = list(ops)
        answers = self.annals.batch([self._call(op) for op in ops])
        for error in (it for it in answers if isinstance(it, Exception)):
            raise error
        return [None if isinstance(op, PutOp) else _of(answer) for op, answer in zip(ops, answers)]

    async def abatch(self, ops):
        return await asyncio.to_thread(self.batch, ops)

    def _call(self, op):
        args = {"branch": self.branch, **op._asdict(), "index": None, "refresh_ttl": None}
        args["match_conditions"] = [it._asdict() for it in args.get("match_conditions") or ()] or None
        args["ttl"] = args.get("ttl") and args["ttl"] * 60  # minutes
        return "kv_delete" if args.get("value", op) is None else OPS[type(op)], args


def _of(it, kind=Item):
    if isinstance(it, list):
        found = lambda one: _of(one, lambda **named: SearchItem(**named, score=one.get("score")))
        return [tuple(one) if isinstance(one, list) else found(one) for one in it]
    at = lambda name: datetime.fromisoformat(it[name].replace("Z", "+00:00"))
    return it and kind(namespace=tuple(it["namespace"]), key=it["key"], value=it["value"],
                       created_at=at("created"), updated_at=at("updated"))
