//! What `memory.db` holds, read row by row along its indexes; what a branch sees of it is asked in
//! `query/memory`.

mod archival;
mod branches;
mod core;
mod place;
mod recall;

pub use archival::StoredRecord;
pub use branches::StoredBranch;
pub use core::StoredCore;
pub use place::{Listed, Place};
pub use recall::{StoredEvent, StoredSummary};

#[cfg(test)]
thread_local! {
    /// What was asked on this thread, for the test that looks at the plans.
    static ASKED: std::cell::RefCell<std::collections::BTreeSet<String>> = Default::default();
}

#[cfg(test)]
pub(super) fn asked(sql: &str) {
    ASKED.with(|asked| asked.borrow_mut().insert(sql.to_owned()));
}

#[cfg(test)]
impl super::MemoryView<'_> {
    /// What was asked on this thread so far, each with the lines of its plan.
    pub fn plans(&self) -> rusqlite::Result<Vec<(String, Vec<String>)>> {
        let asked = ASKED.with(|asked| asked.borrow().clone());
        asked.into_iter().map(|sql| Ok((sql.clone(), self.plan(&sql)?))).collect()
    }
}
