//! The newest executions of a journal, in few bytes.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::ordinals::{ROWS_MAX, Row, RowState};

/// The newest executions of a journal. In JSON one text: they are read and written with every call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Rows(VecDeque<Row>);

/// What ends an execution in the text, by its state.
const END_OF: [char; 3] = [',', '-', ';'];

impl Rows {
    pub fn push(&mut self, row: Row) {
        self.0.push_back(row);
        if self.0.len() > ROWS_MAX {
            self.0.pop_front();
        }
    }

    pub fn newest(&self, is_it: impl Fn(&Row) -> bool) -> Option<Row> {
        self.0.iter().rev().find(|row| is_it(row)).copied()
    }

    /// It is that far now.
    pub fn put(&mut self, id: u64, state: RowState) {
        if let Some(row) = self.0.iter_mut().rev().find(|row| row.id == id) {
            row.state = state;
        }
    }
}

impl From<Rows> for String {
    fn from(rows: Rows) -> Self {
        let mut text = Self::with_capacity(rows.0.len() * 52);
        for Row { id, call, session, state } in rows.0 {
            let end = END_OF[state as usize];
            text.push_str(&format!("{id:x} {call:x} {session:x}{end}"));
        }
        text
    }
}

impl TryFrom<String> for Rows {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut rows = VecDeque::new();
        for one in text.split_inclusive(END_OF) {
            let ends = |end: &&(char, RowState)| one.ends_with(end.0);
            let states = [RowState::Open, RowState::Ended, RowState::Numbered];
            let ended = END_OF.into_iter().zip(states).collect::<Vec<_>>();
            let (_, state) = *ended.iter().find(ends).ok_or("an execution without its end")?;
            let fields = &one[..one.len() - 1];
            let mut fields = fields.split(' ').map(|field| u64::from_str_radix(field, 16));
            let (Some(Ok(id)), Some(Ok(call)), Some(Ok(session)), None) =
                (fields.next(), fields.next(), fields.next(), fields.next())
            else {
                return Err("an execution is not three numbers");
            };
            if rows.len() >= ROWS_MAX {
                return Err("more executions than are kept");
            }
            rows.push_back(Row { id, call, session, state });
        }
        Ok(Self(rows))
    }
}
