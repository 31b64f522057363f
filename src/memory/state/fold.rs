//! The fold into `state.db`.

use super::kv::{KvKey, json_of};
use super::store::{CURSOR_TABLE, LAST_ROWS, State};
use crate::event::{Body, BranchForked, KvDeleted, KvPut, Recorded};
use crate::execution::closed::signed;
use crate::store::columns::insert;
use crate::store::{Cursor, Digest, Position, Projector, Result, Rows, connection};

impl Projector for State {
    fn begin(&mut self) -> Result<()> {
        self.conn.begin("beginning to write")
    }

    fn cursor(&self) -> Result<Option<Cursor>> {
        self.conn.cursor(CURSOR_TABLE, "reading the cursor")
    }

    fn found_rows(&self) -> Result<Rows> {
        self.conn.last_rows("reading the last rows", LAST_ROWS)
    }

    fn apply(&mut self, recorded: &Recorded, _started: Option<&Recorded>) -> Result<()> {
        let (seq, at_ms) = (recorded.sequence.0, signed(recorded.event.envelope.at_ms));
        let body = &recorded.event.body;
        if let Body::BranchForked(forked) = body {
            return self.fork(seq, forked);
        }
        if !matches!(
            body,
            Body::KvPut(_)
                | Body::KvDeleted(_)
                | Body::MessageAppended(_)
                | Body::MessagePopped(_)
                | Body::ThreadCleared(_)
        ) {
            return Ok(());
        }
        // As in memory.db, which tells of it: one whose beginning is lost stands as a root.
        body.memory_branch().map_or(Ok(()), |branch| self.root(branch))?;
        match body {
            Body::KvPut(put) => self.put(seq, at_ms, put),
            Body::KvDeleted(deleted) => self.delete(seq, at_ms, deleted),
            Body::MessageAppended(it) => insert!(
                self.conn,
                thread_messages {
                    seq,
                    branch: it.branch,
                    thread: it.thread,
                    number: signed(it.number),
                    role: it.role,
                    content: it.content.0,
                    at_ms,
                }
            )
            .map(drop),
            Body::MessagePopped(it) => {
                let popped = signed(it.number);
                insert!(
                    self.conn,
                    thread_marks { seq, branch: it.branch, thread: it.thread, popped }
                )
                .map(drop)
            }
            Body::ThreadCleared(it) => {
                insert!(self.conn, thread_marks { seq, branch: it.branch, thread: it.thread })
                    .map(drop)
            }
            _ => Ok(()),
        }
    }

    fn commit(&mut self, position: Position) -> Result<()> {
        let cursor = Cursor { position, rows: self.found_rows()? };
        self.conn.commit(cursor, CURSOR_TABLE)
    }

    fn rollback(&mut self) -> Result<()> {
        self.conn.rollback("giving up a transaction")
    }

    fn finish(self: Box<Self>) -> Result<Option<Digest>> {
        let path = self.conn.path().to_owned();
        drop(self);
        connection::finish_bulk(&path).map(|()| None)
    }
}

impl State {
    /// The first fork of a name counts; what it is forked from is there before it.
    fn fork(&self, seq: u64, forked: &BranchForked) -> Result<()> {
        let (parent, cut) = match &forked.copied_from {
            Some(from) => (Some(&from.branch), from.through_sequence),
            None => (forked.parent.as_ref(), seq),
        };
        let parent = parent.filter(|parent| **parent != forked.branch);
        parent.map_or(Ok(()), |parent| self.root(parent))?;
        let (name, cut) = (&forked.branch, signed(cut));
        insert!(self.conn, "INSERT OR IGNORE INTO", forks { name, parent, cut }).map(drop)
    }

    fn root(&self, name: &str) -> Result<()> {
        insert!(self.conn, "INSERT OR IGNORE INTO", forks { name, cut: 0 }).map(drop)
    }

    fn put(&self, seq: u64, at_ms: i64, put: &KvPut) -> Result<()> {
        let key = KvKey { branch: &put.branch, namespace: &put.namespace, key: &put.key };
        let before = self.view().latest(&key)?.filter(|before| before.value.is_some());
        let created_ms = before.map_or(at_ms, |before| signed(before.created_ms));
        let over_ms = put.ttl_ms.map(|ttl| at_ms.saturating_add(signed(ttl)));
        insert!(
            self.conn,
            kv {
                seq,
                branch: put.branch,
                namespace: json_of(&put.namespace),
                key: put.key,
                version: signed(put.version),
                value: put.value.0,
                created_ms,
                at_ms,
                over_ms,
            }
        )
        .map(drop)
    }

    fn delete(&self, seq: u64, at_ms: i64, deleted: &KvDeleted) -> Result<()> {
        let KvDeleted { branch, namespace, key, version, .. } = deleted;
        let (namespace, version, created_ms) = (json_of(namespace), signed(*version), at_ms);
        insert!(self.conn, kv { seq, branch, namespace, key, version, created_ms, at_ms }).map(drop)
    }
}
