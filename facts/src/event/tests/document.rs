//! EVENTS.md says what the program does: one text, one table, and this that reads both.

use crate::event::*;

const DOCUMENT: &str = include_str!("../../../../journal-format/EVENTS.md");

#[test]
fn the_document_has_a_section_for_every_kind_and_no_other() {
    let sections: Vec<_> = DOCUMENT
        .lines()
        .filter_map(|line| line.strip_prefix("### 0x"))
        .map(str::to_owned)
        .collect();
    let kinds: Vec<_> = Kind::ALL
        .iter()
        .map(|kind| {
            let (name, schema) = (kind.name().unwrap(), kind.schema().unwrap());
            format!("{:04x} {name}, schema {schema}", kind.0)
        })
        .collect();
    assert_eq!(sections, kinds);
}

#[test]
fn the_documents_fields_are_the_types_fields_in_their_order() {
    for event in super::samples::samples() {
        let name = event.body.name();
        let heading = format!("### 0x{:04x} {name}, ", event.body.kind().0);
        let (_, section) = DOCUMENT.split_once(&heading).unwrap();
        let section = section.split("\n#").next().unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let fields: Vec<_> = rows.filter_map(|row| row.split('`').next()).collect();
        assert_eq!(fields, debug_fields(&format!("{:#?}", event.body)), "{name}");
    }
}

/// The names of the outermost struct's fields, as its pretty `Debug` shows them.
fn debug_fields(debug: &str) -> Vec<&str> {
    let field =
        |line: &str| line.starts_with("        ") && !line[8..].starts_with([' ', '}', ']', ')']);
    debug
        .lines()
        .filter(|line| field(line))
        .filter_map(|line| line.trim().split(':').next())
        .collect()
}

#[test]
fn the_documents_example_is_the_fixtures_bytes() {
    let (_, example) = DOCUMENT.split_once("## 4. An example").unwrap();
    let lines = example.lines().filter_map(|line| line.strip_prefix("    "));
    // The bytes end where two spaces begin.
    let digits: String =
        lines.filter_map(|line| line.split("  ").next()).collect::<String>().replace(' ', "");
    let event = super::samples::samples().swap_remove(12);
    let mut bytes = Vec::new();
    encode(&event, &mut bytes).unwrap();
    let written: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digits, written);
}
