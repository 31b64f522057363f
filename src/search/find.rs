//! The search itself: documents that match, the best of each turn.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::types::Value;
use serde::Serialize;

use super::documents::Part;
use super::fold::number;
use super::question::Asked;
use super::store::SearchReader;
use crate::event::{Ordered, Sequence};
use crate::store::Result;

/// Documents that are told apart by their turns; there may be more.
const DOCUMENTS_MAX: i64 = 1 << 20;

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
    let documents: Vec<Met> =
        reader.conn.rows(reader.doing, &sql, rusqlite::params_from_iter(values), |row| {
            let (turn, score) = ((row.get(1)?, row.get(2)?), row.get(3)?);
            Ok(Met { document: row.get(0)?, turn, score, others: 0 })
        })?;
    let is_more = documents.len() as i64 == DOCUMENTS_MAX;
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
    turn: (i64, i64),
    score: f64,
    others: u64,
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
    let (from, score) = match &wanted {
        Some(_) => {
            let weight: String = WEIGHTS
                .iter()
                .map(|(part, weight)| format!(" WHEN {} THEN {weight:?}", number(*part)))
                .collect();
            let score = format!("-bm25(found, 1.0, 0.8) * CASE d.part{weight} ELSE 1.0 END");
            (MATCHED, score)
        }
        None => ("documents d", "0.0".to_owned()),
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
        Order::Ranked if wanted.is_some() => "score DESC, d.seq DESC",
        _ => "d.at_ms DESC, d.seq DESC",
    };
    let sql = format!(
        "SELECT d.number, {TURN}, {score} AS score FROM {from}{wheres} ORDER BY {order} LIMIT {DOCUMENTS_MAX}"
    );
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
