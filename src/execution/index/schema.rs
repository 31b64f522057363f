//! The tables of `index.db` and their indexes: a file of statements a noun, beside the code that writes them.

use std::sync::LazyLock;

use crate::store::digest::statements;
use crate::store::made_by;

const NOUNS: [&str; 5] = [
    include_str!("schema.sql"),
    include_str!("../../memory/index_schema.sql"),
    include_str!("../../grounding/index_schema.sql"),
    include_str!("../../repo/index_schema.sql"),
    include_str!("../../debug/index_schema.sql"),
];

/// Divides a file: a load makes what stands behind it once all rows are there.
const LATER: &str = "\n-- Made after the rows.\n";

/// What stands before the line that divides a file, and what behind it.
static STATEMENTS: LazyLock<[Vec<&str>; 2]> = LazyLock::new(|| {
    let part = |nth| {
        NOUNS.iter().flat_map(move |it| statements(it.split(LATER).nth(nth).unwrap_or_default()))
    };
    [part(0).collect(), part(1).collect()]
});

pub(super) static NUMBER: LazyLock<i32> =
    LazyLock::new(|| made_by::number(tables().chain(indexes())));

pub(super) fn tables() -> impl Iterator<Item = &'static str> {
    STATEMENTS[0].iter().copied()
}

pub(super) fn indexes() -> impl Iterator<Item = &'static str> {
    STATEMENTS[1].iter().copied()
}
