//! The search itself: documents that match, the best of each turn.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use serde::Serialize;

use super::asked::Asked;
use super::documents::Part;
use super::fold::number;
use super::store::SearchReader;
use crate::event::Sequence;
use crate::store::Result;

/// Documents that are told apart by their turns; there may be more.
const DOCUMENTS_MAX: i64 = 4_000;

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
    let documents: Vec<Hit> =
        reader.conn.rows(reader.doing, &sql, rusqlite::params_from_iter(values), |row| {
            let part: usize = row.get(1)?;
            let (session, turn): (_, Option<u64>) = (row.get(3)?, row.get(4)?);
            Ok(Hit {
                sequence: row.get(0)?,
                part: Part::ALL.get(part).copied().unwrap_or(Part::Memory),
                at_ms: row.get(2)?,
                session,
                turn: turn.unwrap_or(0),
                tool: row.get(5)?,
                path: row.get(6)?,
                model: row.get(7)?,
                failed: row.get(8)?,
                score: row.get(9)?,
                others: 0,
            })
        })?;
    let is_more = documents.len() as i64 == DOCUMENTS_MAX;
    let mut turns: BTreeMap<(Option<String>, u64), usize> = BTreeMap::new();
    let mut hits: Vec<Hit> = Vec::new();
    for document in documents {
        // What belongs to no session stands for itself.
        let turn = match &document.session {
            Some(session) => (Some(session.clone()), document.turn),
            None => (None, document.sequence.0),
        };
        match turns.get(&turn) {
            Some(at) => {
                let hit = &mut hits[*at];
                hit.others += 1;
                // They come with the best first.
                hit.score += document.score * OTHERS.powf(hit.others as f64);
            }
            None => {
                turns.insert(turn, hits.len());
                hits.push(document);
            }
        }
    }
    if order == Order::Ranked {
        // The order of equal ones stays: the newest first.
        hits.sort_by(|one, other| other.score.total_cmp(&one.score));
    }
    let turns = hits.len();
    let hits = hits.into_iter().skip(skip).take(most).collect();
    Ok(Found { hits, turns, is_more })
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
    let expression = asked.expression();
    let (from, score) = match &expression {
        Some(expression) => {
            wheres.push(format!("found MATCH {}", bound(Value::Text(expression.clone()))));
            let weight: String = WEIGHTS
                .iter()
                .map(|(part, weight)| format!(" WHEN {} THEN {weight:?}", number(*part)))
                .collect();
            let score = format!("-bm25(found, 1.0, 0.8) * CASE d.part{weight} ELSE 1.0 END");
            ("found CROSS JOIN documents d ON d.number = found.rowid", score)
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
    let wheres = match wheres.is_empty() {
        true => String::new(),
        false => format!(" WHERE {}", wheres.join(" AND ")),
    };
    let order = match order {
        Order::Ranked if expression.is_some() => "score DESC, d.seq DESC",
        _ => "d.at_ms DESC, d.seq DESC",
    };
    let name = |column: &str| format!("(SELECT name FROM names WHERE number = d.{column})");
    let [session, tool, path, model] = ["session", "tool", "path", "model"].map(name);
    let sql = format!(
        "SELECT d.seq, d.part, d.at_ms, {session}, d.turn, {tool}, {path}, {model}, d.failed, d.score FROM \
         (SELECT d.*, {score} AS score FROM {from}{wheres} ORDER BY {order} LIMIT {DOCUMENTS_MAX}) d"
    );
    (sql, values)
}

/// What a match weighs by where it stands: a word that somebody said tells more than one that was printed.
const WEIGHTS: [(Part, f64); 5] = [
    (Part::Prompt, 1.5),
    (Part::Answer, 1.5),
    (Part::Diff, 0.5),
    (Part::Output, 0.3),
    (Part::Error, 0.7),
];
