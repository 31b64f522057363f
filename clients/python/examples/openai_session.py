"""A session of openai-agents over annals: `AnnalsSession("chat-1", Annals())`; every item is kept, equal ones too."""

from __future__ import annotations

import asyncio
from typing import Any, List, Optional

from agents.memory import SessionABC, SessionSettings


class AnnalsSession(SessionABC):
    def __init__(self, session_id: str, annals: Any, branch: str = "root") -> None:
        self.session_id, self.annals = session_id, annals
        self.session_settings: Optional[SessionSettings] = None
        self._at = {"branch": branch, "thread": session_id}

    async def get_items(self, limit: Optional[int] = None) -> List[Any]:
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        found = await asyncio.to_thread(self.annals.thread_read, **self._at, limit=limit)
        return [it["content"] for it in found]

    async def add_items(self, items: List[Any]) -> None:
        # As one call: they share a commit.
        calls = [("thread_append", {**self._at, "role": _role(it), "content": it}) for it in items]
        for answer in await asyncio.to_thread(self.annals.batch, calls):
            if isinstance(answer, Exception):
                raise answer

    async def pop_item(self) -> Optional[Any]:
        last = await asyncio.to_thread(self.annals.thread_pop, **self._at)
        return last and last["content"]

    async def clear_session(self) -> None:
        await asyncio.to_thread(self.annals.thread_clear, **self._at)


def _role(item: Any) -> str:
    """Whose an item is; a call of a tool and its output have a type alone."""
    return item.get("role") or item.get("type") or "item"
