//! What a question's names mean, and whether that is on record: an empty answer would read as one.

use super::{QueryError, Stores, text};
use crate::event::{SessionId, tool};
use crate::store::Ask;

impl Stores {
    /// The session with this id or that the agent calls so, of several the newest; else the only one that
    /// begins so.
    pub fn session_named(&self, name: &str) -> Result<SessionId, QueryError> {
        let mut found: Vec<(bool, u64, SessionId)> = Vec::new();
        for number in self.session_numbers(name)? {
            let sql =
                "SELECT id = ?2 OR native_id IS ?2, last_seq, id FROM sessions WHERE number = ?1";
            let asked = [Ask::Number(number), text(name)];
            let row = self
                .index
                .answer(sql, &asked, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            found.extend(row);
        }
        match found.iter().max() {
            None => Err(QueryError::NoSession { name: name.to_owned() }),
            Some((false, ..)) if found.len() > 1 => {
                Err(QueryError::Ambiguous { reference: name.to_owned(), count: found.len() })
            }
            Some((.., id)) => Ok(*id),
        }
    }

    /// Holds that a name is not the beginning of several sessions' ids: what is found of one would pass for all.
    pub fn must_mean_one(&self, session: Option<&str>) -> Result<(), QueryError> {
        match session.map(|name| self.session_named(name)) {
            Some(Err(error @ QueryError::Ambiguous { .. })) => Err(error),
            _ => Ok(()),
        }
    }

    /// Holds that a session and a tool of these names are on record: nothing would be found of any other either.
    pub fn must_know(&self, session: Option<&str>, tool: Option<&str>) -> Result<(), QueryError> {
        if let Some(name) = session
            && self.session_numbers(name)?.is_empty()
        {
            return Err(QueryError::NoSession { name: name.to_owned() });
        }
        let sql = "SELECT 1 FROM tallies WHERE tool = ?1 \
                   UNION SELECT 1 FROM native_tools WHERE ?1 IN (tool, native_tool)";
        match tool {
            Some(name) if !tool::is_known(name) && self.numbers(sql, &[name])?.is_empty() => {
                Err(QueryError::NoTool { name: name.to_owned() })
            }
            _ => Ok(()),
        }
    }
}
