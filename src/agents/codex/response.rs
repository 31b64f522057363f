//! The agent's responses: each is one message, of whatever items, up to the event that tells its tokens.

use serde::{Deserialize, Serialize};

use super::payload::{Payload, Took};
use super::session::Session;
use crate::agents::import::hash;
use crate::agents::import::item::{Compaction, Message};
use crate::event::Usage;

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Responses {
    /// The one that goes on, by its id.
    current: Option<String>,
    /// Calls of it were answered: the next item of the agent's is another's.
    is_answered: bool,
    count: u64,
    compactions: u64,
    /// Tokens of all of them, and of the last one: an event tells the same again.
    total: Option<u64>,
    last: Option<u64>,
}

impl Responses {
    /// Takes an item of the agent's: what it says, thinks, or calls by that name.
    pub fn item(
        &mut self,
        (text, thinking, call): (&str, &str, &str),
        own: Option<&str>,
        at_ms: Option<u64>,
        session: &Session,
    ) -> Message {
        if std::mem::take(&mut self.is_answered) {
            self.current = None;
        }
        let id = match &self.current {
            Some(id) => id.clone(),
            None => self.begin([text, thinking, call].concat().as_bytes(), own, at_ms, session),
        };
        let (text, thinking) = (text.to_owned(), thinking.to_owned());
        Message { id: Some(id), text, thinking, ..Message::default() }
    }

    /// One is known by its first item: by that one's own id, or by its place and what it says.
    fn begin(
        &mut self,
        first: &[u8],
        own: Option<&str>,
        at_ms: Option<u64>,
        session: &Session,
    ) -> String {
        self.count += 1;
        let own = own.filter(|id| super::scope(Some("s"), id).is_none()).map(str::to_owned);
        let id = own.unwrap_or_else(|| {
            let place = session.place("m", self.count, at_ms).unwrap_or_default();
            format!("{place}.{:08x}", hash(&[first]) as u32)
        });
        self.current.insert(id).clone()
    }

    pub fn answered(&mut self) {
        self.is_answered = self.current.is_some();
    }

    /// Nothing is under way.
    pub fn is_whole(&self) -> bool {
        self.current.is_none()
    }

    /// Somebody asks: what was said before is whole.
    pub fn end(&mut self) {
        (self.current, self.is_answered) = (None, false);
    }

    /// The tokens of the response before, which ends by it; `None` where they were told already.
    pub fn tokens(
        &mut self,
        event: &Payload<'_>,
        at_ms: Option<u64>,
        session: &Session,
    ) -> Option<Message> {
        let info = event.info.0?;
        let total = info.total_token_usage.0.and_then(|total| total.total_tokens.to_count());
        if total.is_some() && total == self.total {
            return None;
        }
        self.total = total;
        let took = info.last_token_usage.0?;
        self.last = took.total_tokens.to_count();
        let id = match self.current.take() {
            Some(id) => id,
            None => self.begin(&total.unwrap_or_default().to_le_bytes(), None, at_ms, session),
        };
        self.end();
        Some(Message { id: Some(id), usage: took.usage(), ..Message::default() })
    }

    pub fn compacted(
        &mut self,
        payload: &Payload<'_>,
        at_ms: Option<u64>,
        session: &Session,
    ) -> Option<Compaction> {
        self.compactions += 1;
        let place = || session.place("c", self.compactions, at_ms);
        Some(Compaction {
            id: payload.annals_id.to_text().or_else(place)?,
            trigger: None,
            tokens_before: self.last,
            summary: payload.message.to_text().unwrap_or_default(),
        })
    }
}

impl Took {
    /// Its input is told with what came from a cache.
    fn usage(self) -> Usage {
        let (input, cache_read) =
            (self.input_tokens.to_count(), self.cached_input_tokens.to_count());
        let input = input.map(|all| all.saturating_sub(cache_read.unwrap_or_default()));
        Usage { input, output: self.output_tokens.to_count(), cache_read, cache_write: None }
    }
}
