//! `idx.executions` among several journals: one view over all of them, which no schema can hold.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// The statement with `idx_executions` for `idx.executions`, where that is the name of a view. No
/// byte moves, so that an error's place stays what it was. Texts, quoted names and comments stay.
pub(super) fn joined<'s>(sql: &'s str, views: &BTreeSet<String>) -> Cow<'s, str> {
    let mut bytes = sql.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        at = match bytes[at] {
            quote @ (b'\'' | b'"' | b'`') => after(sql, at + 1, &[quote]),
            b'[' => after(sql, at + 1, b"]"),
            b'-' if bytes.get(at + 1) == Some(&b'-') => after(sql, at + 2, b"\n"),
            b'/' if bytes.get(at + 1) == Some(&b'*') => after(sql, at + 2, b"*/"),
            byte if is_word(byte) => {
                let end = word_end(&bytes, at);
                let name_end = word_end(&bytes, end + 1);
                let is_dotted = bytes.get(end) == Some(&b'.') && name_end > end + 1;
                let own = at == 0 || bytes[at - 1] != b'.';
                if is_dotted && own {
                    let name = format!("{}_{}", &sql[at..end], &sql[end + 1..name_end]);
                    if views.contains(&name.to_ascii_lowercase()) {
                        bytes[end] = b'_';
                    }
                    name_end
                } else {
                    end
                }
            }
            _ => at + 1,
        };
    }
    // Only ASCII was put for ASCII.
    String::from_utf8(bytes).map_or(Cow::Borrowed(sql), Cow::Owned)
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
            ("idx.", "idx."),
            ("'", "'"),
        ] {
            assert_eq!(joined(sql, &views), expect);
        }
    }
}
