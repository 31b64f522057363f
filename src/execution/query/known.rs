//! Whether what a question names is on record: an empty answer would read as one.

use super::{QueryError, Stores};
use crate::event::tool;

impl Stores {
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
