//! Splits a schema file into its statements, as `sqlite_master` keeps them.

/// The `CREATE` statements of a schema file: without the comments before them and the semicolon
/// behind. A table ends with a line `);`, a trigger with `END;`, an index with its own line.
pub(crate) fn statements(sql: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    let mut offset = 0;
    for line in sql.split_inclusive('\n') {
        if start.is_none() && line.starts_with("CREATE ") {
            start = Some((offset, line.starts_with("CREATE TRIGGER ")));
        }
        let text = line.trim_end();
        if let Some((from, trigger)) = start {
            let ends = if trigger { text == "END;" } else { text.ends_with(';') && !is_note(text) };
            if ends {
                found.push(&sql[from..offset + text.len() - 1]);
                start = None;
            }
        }
        offset += line.len();
    }
    found
}

fn is_note(line: &str) -> bool {
    line.trim_start().starts_with("--")
}

/// The name of what a `CREATE` statement makes.
pub(crate) fn created(statement: &str) -> &str {
    let mut words = statement.split_whitespace().skip(1);
    let kind = words.next().unwrap_or_default();
    let name = if matches!(kind, "UNIQUE" | "VIRTUAL") { words.nth(1) } else { words.next() };
    name.unwrap_or_default().split('(').next().unwrap_or_default()
}
