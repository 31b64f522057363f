//! The project's own checks, as they were declared.

use super::Index;
use crate::event::{CheckList, ChecksDeclared, Recorded};
use crate::parse::check::CheckRules;
use crate::store::StoreError;
use crate::store::columns::insert;

/// The list in force before an event; the text is the list as JSON has it.
pub(crate) const LIST_BEFORE: &str =
    "SELECT list FROM check_lists WHERE seq < ?1 ORDER BY seq DESC LIMIT 1";

/// The folder that checks are told from.
pub(crate) const ROOT: &str = "SELECT root FROM origin WHERE seq > 0 ORDER BY seq LIMIT 1";

impl Index {
    /// Notes the root that the journal was made in.
    pub(super) fn begin_in(&mut self, recorded: &Recorded, root: &str) -> Result<(), StoreError> {
        let seq = recorded.sequence.0;
        self.root = root.to_owned();
        insert!(self, origin { seq, root }).map(drop)
    }

    pub(super) fn checks_in_force(&self) -> Result<CheckRules, StoreError> {
        let doing = "reading the declared checks";
        let found = self.find(doing, LIST_BEFORE, [i64::MAX], |row| row.get::<_, String>(0))?;
        Ok(list(found).into())
    }

    pub(super) fn declare_checks(
        &mut self,
        recorded: &Recorded,
        declared: &ChecksDeclared,
    ) -> Result<(), StoreError> {
        let seq = recorded.sequence.0;
        self.own_checks = declared.list.clone().into();
        // Texts and numbers: that always is JSON.
        let list = serde_json::to_string(&declared.list).unwrap_or_default();
        let declared_by = &declared.by;
        insert!(self, check_lists { seq, declared_by, list })?;
        self.write("replacing the declared checks", "DELETE FROM checks", [])?;
        for (number, check) in (1_u64..).zip(self.own_checks.clone().checks()) {
            let (command, kind) = (&check.command, check.kind.as_str());
            let (found_in, runs, standing) =
                (&check.found_in, &check.runs, check.standing.as_str());
            insert!(self, checks { number, command, kind, found_in, runs, standing, seq })?;
        }
        Ok(())
    }
}

/// A list of checks, of its JSON; none where that is none.
pub(crate) fn list(json: Option<String>) -> CheckList {
    json.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}
