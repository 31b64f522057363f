//! The calls of a session that ended, in few bytes: a call that is told again long after is none.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// Calls that ended, by tag, the newest last, each with a few bytes of its arguments' digest; of more than is
/// kept the oldest are forgotten. In JSON one text: it is read and written with every call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct EndedCalls(VecDeque<(u64, Told)>);

/// What a hook told a call's arguments to be: the beginning of their digest; 0 where none told.
type Told = u32;

/// Calls that are kept: more than nearly any session has.
const CALLS_MAX: usize = 4_096;
/// Digits of a call in the text, and of those its tag's.
const DIGITS: usize = 24;
const TAG_DIGITS: usize = 16;

impl EndedCalls {
    pub fn add(&mut self, call: u64, told: Told) {
        if self.has(call) {
            return;
        }
        self.0.push_back((call, told));
        if self.0.len() > CALLS_MAX {
            self.0.pop_front();
        }
    }

    pub fn has(&self, call: u64) -> bool {
        self.told(call).is_some()
    }

    /// What a hook told the arguments of a call to be that ended.
    pub fn told(&self, call: u64) -> Option<Told> {
        self.0.iter().find(|(known, _)| *known == call).map(|(_, told)| *told)
    }

    /// Whether more may have ended than are kept.
    pub fn is_full(&self) -> bool {
        self.0.len() >= CALLS_MAX
    }
}

impl From<EndedCalls> for String {
    fn from(calls: EndedCalls) -> Self {
        let mut text = Self::with_capacity(calls.0.len() * DIGITS);
        for (call, told) in &calls.0 {
            text.push_str(&format!("{call:0TAG_DIGITS$x}{told:08x}"));
        }
        text
    }
}

impl TryFrom<String> for EndedCalls {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.len() > CALLS_MAX * DIGITS {
            return Err("more calls than are kept");
        }
        let (calls, rest) = text.as_bytes().as_chunks::<DIGITS>();
        let number = |digits: &[u8; DIGITS]| {
            let all_digits = digits.iter().all(u8::is_ascii_hexdigit);
            let digits = std::str::from_utf8(digits).ok().filter(|_| all_digits)?;
            let (tag, told) = digits.split_at_checked(TAG_DIGITS)?;
            let number = |digits: &str| u64::from_str_radix(digits, 16).ok(); // refused below
            Some((number(tag)?, Told::try_from(number(told)?).ok()?)) // eight digits
        };
        let calls: Option<VecDeque<(u64, Told)>> = calls.iter().map(number).collect();
        calls.filter(|_| rest.is_empty()).map(Self).ok_or("a call is no twenty-four digits")
    }
}
