//! The tables of `index.db` and their indexes: a file of statements a noun, beside the code that writes them.

use crate::store::digest::statements;

const NOUNS: [&str; 5] = [
    include_str!("schema.sql"),
    include_str!("../../memory/index_schema.sql"),
    include_str!("../../grounding/index_schema.sql"),
    include_str!("../../repo/index_schema.sql"),
    include_str!("../../debug/index_schema.sql"),
];

/// Divides a file: a load makes what stands behind it once all rows are there.
const LATER: &str = "\n-- Made after the rows.\n";

pub(super) fn tables() -> impl Iterator<Item = &'static str> {
    NOUNS.iter().flat_map(|it| statements(it.split(LATER).next().unwrap_or_default()))
}

pub(super) fn indexes() -> impl Iterator<Item = &'static str> {
    NOUNS.iter().flat_map(|it| statements(it.split(LATER).nth(1).unwrap_or_default()))
}
