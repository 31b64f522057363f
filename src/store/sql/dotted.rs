//! `idx.executions` among several journals: one view over all of them, which no schema can hold.

use std::collections::BTreeSet;

/// The statement with `idx_executions` for `idx.executions`, where that is the name of a view, however it is
/// quoted and spaced. No byte behind it moves, so that an error's place stays what it was. Texts, other
/// names and comments stay.
pub(super) fn joined(sql: &str, views: &BTreeSet<String>) -> String {
    let mut text = String::with_capacity(sql.len());
    let (mut at, mut is_part) = (0, false);
    while let Some(byte) = sql.as_bytes().get(at) {
        let end = match byte {
            b'\'' => after(sql, at + 1, b"'"),
            b'-' if sql[at..].starts_with("--") => after(sql, at + 2, b"\n"),
            b'/' if sql[at..].starts_with("/*") => after(sql, at + 2, b"*/"),
            _ => match Name::at(sql, at) {
                Some(name) => {
                    let joined = (!is_part).then(|| view(sql, &name, views)).flatten();
                    let (end, told) = joined.unwrap_or((name.end, sql[at..name.end].to_owned()));
                    text.push_str(&told);
                    (at, is_part) = (end, false);
                    // Quotes within a name are doubled: what follows goes on with it.
                    is_part |=
                        name.is_quoted && sql.as_bytes().get(end) == sql.as_bytes().get(end - 1);
                    continue;
                }
                None => at + 1,
            },
        };
        is_part = *byte == b'.' || is_part && byte.is_ascii_whitespace();
        text.push_str(&sql[at..end]);
        at = end;
    }
    text
}

/// A name in a statement.
struct Name<'s> {
    text: &'s str,
    is_quoted: bool,
    end: usize,
}

impl<'s> Name<'s> {
    /// The name that begins there.
    fn at(sql: &'s str, at: usize) -> Option<Self> {
        let first = *sql.as_bytes().get(at)?;
        let close = match first {
            b'"' | b'`' => first,
            b'[' => b']',
            first if is_word(first) => {
                let end = word_end(sql.as_bytes(), at);
                return Some(Self { text: &sql[at..end], is_quoted: false, end });
            }
            _ => return None,
        };
        let end = after(sql, at + 1, &[close]);
        let text = sql.get(at + 1..end - 1).unwrap_or_default();
        Some(Self { text, is_quoted: true, end })
    }
}

/// Where `schema.table` ends, and the view that it means, in as many bytes.
fn view(sql: &str, schema: &Name<'_>, views: &BTreeSet<String>) -> Option<(usize, String)> {
    let blank = |from: usize| {
        let rest = sql.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let dot = blank(schema.end);
    let table = Name::at(sql, blank(dot + 1)).filter(|_| sql.as_bytes().get(dot) == Some(&b'.'))?;
    let name = format!("{}_{}", schema.text, table.text);
    if !views.contains(&name.to_ascii_lowercase()) {
        return None;
    }
    let start = schema.end - schema.text.len() - if schema.is_quoted { 2 } else { 0 };
    let name = if schema.is_quoted || table.is_quoted { format!("\"{name}\"") } else { name };
    Some((table.end, format!("{name:<width$}", width = sql[start..table.end].chars().count())))
}

/// Behind the next such end.
fn after(sql: &str, from: usize, end: &[u8]) -> usize {
    let rest = sql.as_bytes().get(from..).unwrap_or_default();
    let found = rest.windows(end.len()).position(|window| window == end);
    found.map_or(sql.len(), |found| from + found + end.len())
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| is_word(**byte)).count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_views_are_joined() {
        let views = BTreeSet::from(["idx_executions".to_owned()]);
        for (sql, expect) in [
            ("SELECT * FROM idx.executions", "SELECT * FROM idx_executions"),
            ("SELECT * FROM IDX.Executions e", "SELECT * FROM IDX_Executions e"),
            (
                "SELECT idx.executions.tool FROM idx.executions",
                "SELECT idx_executions.tool FROM idx_executions",
            ),
            ("SELECT idx.tool FROM idx_executions idx", "SELECT idx.tool FROM idx_executions idx"),
            (
                "SELECT 'idx.executions', \"idx.executions\"",
                "SELECT 'idx.executions', \"idx.executions\"",
            ),
            ("SELECT 1 -- idx.executions", "SELECT 1 -- idx.executions"),
            (
                "SELECT /* idx.executions */ 'é' FROM idx.executions",
                "SELECT /* idx.executions */ 'é' FROM idx_executions",
            ),
            ("SELECT x.idx.executions", "SELECT x.idx.executions"),
            ("SELECT x . idx.executions", "SELECT x . idx.executions"),
            ("SELECT 1 FROM idx . executions e", "SELECT 1 FROM idx_executions   e"),
            (r#"FROM "idx"."executions" e"#, r#"FROM "idx_executions"   e"#),
            (r#"FROM "idx".executions e"#, r#"FROM "idx_executions" e"#),
            ("FROM [idx]\n.`Executions`;", "FROM \"idx_Executions\"   ;"),
            (r#"FROM "a""idx".executions"#, r#"FROM "a""idx".executions"#),
            (r#"SELECT "idx"#, r#"SELECT "idx"#),
            (r#"idx.""#, r#"idx.""#),
            ("idx.", "idx."),
            ("'", "'"),
        ] {
            assert_eq!(joined(sql, &views), expect);
        }
    }
}
