//! The tests that a run named as failed.

use rusqlite::params;

use super::Index;
use super::links::At;
use crate::execution::judged::FailedTest;
use crate::parse::check::diagnostic;
use crate::store::StoreError;
use crate::store::columns::insert;

/// Bytes of a message: more of it stands in what was printed.
const MESSAGE_BYTES_MAX: usize = 1 << 10;

impl Index {
    /// In the order in which they were told, from 1.
    pub(super) fn add_failed_tests(
        &mut self,
        at: At,
        tests: Vec<FailedTest>,
    ) -> Result<(), StoreError> {
        let execution = at.execution;
        for (number, test) in (1_i64..).zip(tests) {
            let FailedTest { name, file, line, source, source_line, error, message, ran } = test;
            let message = diagnostic::cut(&message, MESSAGE_BYTES_MAX);
            insert!(
                self,
                "INSERT OR IGNORE INTO",
                failed_tests {
                    execution,
                    number,
                    name,
                    file,
                    line,
                    source,
                    source_line,
                    error,
                    message,
                    ran
                }
            )?;
        }
        Ok(())
    }

    /// It was closed again.
    pub(super) fn forget_failed_tests(&mut self, execution: u64) -> Result<(), StoreError> {
        let sql = "DELETE FROM failed_tests WHERE execution = ?1";
        self.write("taking failed tests away", sql, params![execution]).map(drop)
    }
}
