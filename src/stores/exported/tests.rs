//! The list of tables, and the page that describes it.

use super::EXPORTED;
use crate::store::sql::exported::{COMMON, Form};

const BEGIN: &str = "<!-- tables -->\n";
const END: &str = "<!-- end of tables -->";

/// Each table as the page has it.
fn described() -> String {
    let mut text =
        String::from("\nEvery table begins with:\n\n| column | | what it is |\n|---|---|---|\n");
    for (name, about) in COMMON {
        text.push_str(&format!("| `{name}` | text | {about} |\n"));
    }
    for table in EXPORTED {
        text.push_str(&format!(
            "\n### {}\n\nA row is {}.\n\n| column | | what it is |\n|---|---|---|\n",
            table.name, table.about
        ));
        for column in table.columns {
            let form = match column.form {
                Form::Text => "text",
                Form::Integer => "whole number",
                Form::Time => "time",
                Form::Json => "JSON",
                Form::Flag => "flag",
            };
            text.push_str(&format!("| `{}` | {form} | {} |\n", column.plain_name(), column.about));
        }
    }
    text.push('\n');
    text
}

#[test]
fn the_page_describes_every_column_as_the_list_has_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/exported.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("where tables begin");
    let (tables, after) = rest.split_once(END).expect("where they end");
    if std::env::var_os("ANNALS_BLESS").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{}{END}{after}", described())).unwrap();
        return;
    }
    assert!(tables == described(), "docs/exported.md is behind: ANNALS_BLESS=1 writes it");
}

#[test]
fn names_are_known_once_and_every_column_is_explained() {
    let mut tables = std::collections::BTreeSet::new();
    for table in EXPORTED {
        assert!(tables.insert(table.name), "{}", table.name);
        let mut names: std::collections::BTreeSet<String> =
            COMMON.iter().map(|(name, _)| (*name).to_owned()).collect();
        for column in table.columns {
            assert!(names.insert(column.plain_name()), "{}.{}", table.name, column.name);
            assert!(!column.about.is_empty(), "{}.{}", table.name, column.name);
        }
    }
}
