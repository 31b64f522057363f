//! The search itself: documents that match, the best of each turn.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::Row;
use rusqlite::types::Value;
use serde::Serialize;

use super::documents::Part;
use super::fold::number;
use super::question::Asked;
use super::store::SearchReader;
use crate::event::{Ordered, Sequence};
use crate::store::Result;

/// Documents that are told apart by their turns; there may be more.
const DOCUMENTS_MAX: usize = 1 << 20;

/// What the second best text of a turn adds to its best, the third to both, and so on.
const OTHERS: f64 = 0.4;

/// What the best hit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one that says most of what was asked.
    #[default]
    Ranked,
    Newest,
}

/// What was found in one turn of a session; in no session, one text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    pub sequence: Sequence,
    pub part: Part,
    pub at_ms: u64,
    pub session: Option<String>,
    /// Of the session, counted from 1; 0 before its first prompt.
    pub turn: u64,
    /// The contract's name of it, and the agent's own where it differs.
    pub tool: Option<String>,
    pub path: Option<String>,
    pub model: Option<String>,
    pub failed: bool,
    /// Of the turn, the higher the better; 0 where no word was asked for.
    pub score: f64,
    /// Other texts of the turn that match.
    pub others: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The best first.
    pub hits: Vec<Hit>,
    /// Turns that match; at least so many where `is_more`.
    pub turns: usize,
    pub is_more: bool,
}

/// The hits of a page: so many behind the first `skip`.
pub fn search(
    reader: &SearchReader,
    asked: &Asked,
    since_ms: Option<u64>,
    order: Order,
    (skip, most): (usize, usize),
) -> Result<Found> {
    let (sql, values) = question(asked, since_ms, order);
    let is_ranked = order == Order::Ranked && asked.wanted().is_some();
    let (mut documents, mut is_more): (Vec<Met>, bool) = (Vec::new(), false);
    reader.conn.rows(reader.doing, &sql, rusqlite::params_from_iter(values), |row| {
        documents.push(Met::of(row)?);
        // Here and not by the database: it would write each down to sort it.
        is_more |= is_ranked && keep_best(&mut documents, DOCUMENTS_MAX);
        Ok(())
    })?;
    if is_ranked {
        documents.sort_unstable_by(Met::order);
    }
    is_more |= documents.len() >= DOCUMENTS_MAX;
    documents.truncate(DOCUMENTS_MAX);
    let mut turns: HashMap<(i64, i64), usize> = HashMap::new();
    let mut all: Vec<Met> = Vec::new();
    for document in documents {
        match turns.entry(document.turn) {
            Entry::Occupied(at) => {
                let turn = &mut all[*at.get()];
                turn.others += 1;
                // They come with the best first.
                turn.score += document.score * OTHERS.powf(turn.others as f64);
            }
            Entry::Vacant(new) => {
                new.insert(all.len());
                all.push(document);
            }
        }
    }
    if order == Order::Ranked {
        // The order of equal ones stays: the newest first.
        all.order_by(|one, other| other.score.total_cmp(&one.score));
    }
    let page = all.iter().skip(skip).take(most).map(|it| hit(reader, it));
    Ok(Found { hits: page.collect::<Result<_>>()?, turns: all.len(), is_more })
}

/// A turn by the document that says most, or the newest.
struct Met {
    document: i64,
    sequence: i64,
    turn: (i64, i64),
    score: f64,
    others: u64,
}

impl Met {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (sequence, turn) = (row.get(1)?, (row.get(2)?, row.get(3)?));
        let (part, rank): (u8, f64) = (row.get(4)?, row.get(5)?);
        let weight = WEIGHTS.iter().find(|it| number(it.0) == part).map_or(1.0, |it| it.1);
        Ok(Self { document: row.get(0)?, sequence, turn, score: rank * weight, others: 0 })
    }

    /// The best first, and of equal ones the newest.
    fn order(one: &Self, other: &Self) -> Ordering {
        other.score.total_cmp(&one.score).then(other.sequence.cmp(&one.sequence))
    }
}

/// Lets go of the worst where twice as many are held as are kept; whether it did.
fn keep_best(met: &mut Vec<Met>, most: usize) -> bool {
    let is_more = met.len() >= 2 * most;
    if is_more {
        met.select_nth_unstable_by(most, Met::order);
        met.truncate(most);
    }
    is_more
}

fn hit(reader: &SearchReader, met: &Met) -> Result<Hit> {
    let name = |column: &str| format!("(SELECT name FROM names WHERE number = d.{column})");
    let [session, tool, path, model] = ["session", "tool", "path", "model"].map(name);
    let sql = format!(
        "SELECT seq, part, at_ms, {session}, turn, {tool}, {path}, {model}, failed FROM documents d \
         WHERE number = ?1"
    );
    let found = reader.conn.find(reader.doing, &sql, [met.document], |row| {
        let part: usize = row.get(1)?;
        Ok(Hit {
            sequence: row.get(0)?,
            part: Part::ALL.get(part).copied().unwrap_or(Part::Memory),
            at_ms: row.get(2)?,
            session: row.get(3)?,
            turn: row.get::<_, Option<u64>>(4)?.unwrap_or(0),
            tool: row.get(5)?,
            path: row.get(6)?,
            model: row.get(7)?,
            failed: row.get(8)?,
            score: met.score,
            others: met.others,
        })
    })?;
    // The index is read in one transaction: what was met is there.
    found.ok_or_else(|| reader.conn.failed(reader.doing, rusqlite::Error::QueryReturnedNoRows))
}

/// Bytes of texts that are too long to be looked up whole, and were left out.
pub fn left_out(reader: &SearchReader) -> Result<u64> {
    let sql = "SELECT coalesce(sum(left_out), 0) FROM documents";
    Ok(reader.conn.find(reader.doing, sql, [], |row| row.get(0))?.unwrap_or(0))
}

fn question(asked: &Asked, since_ms: Option<u64>, order: Order) -> (String, Vec<Value>) {
    let mut values: Vec<Value> = Vec::new();
    let mut wheres: Vec<String> = Vec::new();
    let mut bound = |value: Value| {
        values.push(value);
        format!("?{}", values.len())
    };
    let wanted = asked.wanted();
    let (from, rank) = match &wanted {
        Some(_) => (MATCHED, "-bm25(found, 1.0, 0.8)"),
        None => ("documents d", "0.0"),
    };
    if !asked.parts.is_empty() {
        let parts: Vec<String> = asked.parts.iter().map(|it| number(*it).to_string()).collect();
        wheres.push(format!("d.part IN ({})", parts.join(", ")));
    }
    // A name that has it, or that begins with it.
    for (column, value, is_beginning) in [
        ("tool", &asked.tool, false),
        ("path", &asked.path, false),
        ("model", &asked.model, false),
        ("session", &asked.session, true),
    ] {
        let Some(value) = value else { continue };
        let escaped: String = value
            .chars()
            .flat_map(|it| "\\%_".contains(it).then_some('\\').into_iter().chain([it]))
            .collect();
        let like = if is_beginning { format!("{escaped}%") } else { format!("%{escaped}%") };
        let like = bound(Value::Text(like));
        wheres.push(format!(
            "d.{column} IN (SELECT number FROM names WHERE name LIKE {like} ESCAPE '\\')"
        ));
    }
    if let Some(since) = since_ms {
        let since = bound(Value::Integer(i64::try_from(since).unwrap_or(i64::MAX)));
        wheres.push(format!("d.at_ms >= {since}"));
    }
    if asked.only_failed {
        wheres.push("d.failed".to_owned());
    }
    if let Some(unwanted) = asked.unwanted() {
        let unwanted = bound(Value::Text(unwanted));
        let also: String = wheres.iter().map(|it| format!(" AND {it}")).collect();
        wheres.push(format!(
            "({TURN}) NOT IN (SELECT {TURN} FROM {MATCHED} WHERE found MATCH {unwanted}{also})"
        ));
    }
    if let Some(wanted) = &wanted {
        wheres.push(format!("found MATCH {}", bound(Value::Text(wanted.clone()))));
    }
    let wheres = match wheres.is_empty() {
        true => String::new(),
        false => format!(" WHERE {}", wheres.join(" AND ")),
    };
    let order = match order {
        Order::Ranked if wanted.is_some() => String::new(),
        _ => format!(" ORDER BY d.at_ms DESC, d.seq DESC LIMIT {DOCUMENTS_MAX}"),
    };
    let sql = format!("SELECT d.number, d.seq, {TURN}, d.part, {rank} FROM {from}{wheres}{order}");
    (sql, values)
}

/// Documents that have what is asked for, the index first.
const MATCHED: &str = "found CROSS JOIN documents d ON d.number = found.rowid";
/// The turn of a document; what belongs to no session stands for itself.
const TURN: &str = "coalesce(d.session, -d.seq), coalesce(d.turn, 0)";

/// What a match weighs by where it stands: a word that somebody said tells more than one that was printed.
const WEIGHTS: [(Part, f64); 5] = [
    (Part::Prompt, 1.5),
    (Part::Answer, 1.5),
    (Part::Diff, 0.5),
    (Part::Output, 0.3),
    (Part::Error, 0.7),
];

#[cfg(test)]
mod tests {
    use super::{Met, keep_best};

    #[test]
    fn of_more_than_are_held_the_best_are_kept_and_of_equal_ones_the_newest() {
        let mut all = Vec::new();
        for at in 0..1_000_i64 {
            // 0 to 96, each some ten times.
            let score = ((at * 37) % 97) as f64;
            all.push(Met { document: at, sequence: at, turn: (at, 0), score, others: 0 });
            keep_best(&mut all, 20);
            assert!(all.len() < 40);
        }
        all.sort_unstable_by(Met::order);
        let kept: Vec<_> = all[..20].iter().map(|it| (it.score as i64, it.sequence)).collect();
        let mut wanted: Vec<_> = (0..1_000).map(|at| ((at * 37) % 97, at)).collect();
        wanted.sort_unstable_by_key(|it| std::cmp::Reverse(*it));
        assert_eq!(kept, wanted[..20]);
    }
}
