//! What a call of a step printed last.

use serde::{Deserialize, Serialize};

use super::{GroundingEntry, TEXT_BYTES_MAX, one_line};
use crate::event::{Closing, Content};
use crate::parse::content;
use crate::parse::diagnostic::cut;
use crate::parse::diagnostics::without_colours;

/// What a successful call of a step printed last: how a check passed, what a command came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepOutput {
    pub entry: GroundingEntry,
    /// The last line that was not blank, of stdout, else of stderr; `None` where there was none.
    pub said: Option<String>,
    /// It is a check that passed.
    pub is_check: bool,
}

/// Of an output's end, the bytes in which its last line is looked for.
const END_BYTES_MAX: usize = 4 << 10;

impl StepOutput {
    pub(crate) fn of(entry: GroundingEntry, closing: &Closing, is_check: bool) -> Self {
        let mut outputs = [&closing.stdout, &closing.stderr].into_iter().flatten();
        Self { entry, said: outputs.find_map(last_line), is_check }
    }
}

fn last_line(printed: &Content) -> Option<String> {
    let text = content::text(printed, 2 * END_BYTES_MAX)?;
    let begin = text.ceil_char_boundary(text.len().saturating_sub(END_BYTES_MAX));
    // A progress bar writes over its line again and again.
    let lines = text[begin..].rsplit(['\n', '\r']).map(without_colours);
    let line = lines.map(|line| line.trim().to_owned()).find(|line| !line.is_empty())?;
    Some(one_line(cut(&line, TEXT_BYTES_MAX)).into_owned())
}
