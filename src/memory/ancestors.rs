//! Whether the ancestors that a fork names are those there are.

use super::MemoryError;
use super::operation::Operation;
use crate::memory::query as memory;

impl Operation<'_> {
    /// Refuses a chain that does not end in the parent, or that has a branch under another one than it
    /// is. What it leaves out at its beginning, and who is not there yet at its end, is no fault.
    pub(super) fn check_chain(
        &mut self,
        parent: &str,
        asked: &[String],
    ) -> Result<(), MemoryError> {
        let view = self.view()?;
        let named = |name: &str| memory::branch_of(&view, name);
        // A node and its branch are the same ancestor.
        let same = |a: &str, b: &str| -> Result<bool, MemoryError> {
            Ok(a == b || matches!((named(a)?, named(b)?), (Some(a), Some(b)) if a == b))
        };
        let mut agrees = match asked.last() {
            Some(last) => same(last, parent)?,
            None => true,
        };
        for pair in asked.windows(2) {
            let Some(below) = named(&pair[1])? else { continue };
            let above = view.branch(&below)?.and_then(|row| row.parent);
            agrees &= above.is_some() && above == named(&pair[0])?;
        }
        if agrees {
            return Ok(());
        }
        let known = match named(parent)? {
            Some(branch) => memory::chain(&view, &branch)?,
            None => Vec::new(),
        };
        let known: Vec<String> = known.into_iter().rev().map(|link| link.branch).collect();
        let (parent, asked) = (parent.to_owned(), asked.to_vec());
        Err(MemoryError::OtherAncestors { parent, known, asked })
    }
}
