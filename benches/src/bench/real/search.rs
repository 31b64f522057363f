//! Full-text search in real sessions: in one program, and as a process of its own.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::time::Instant;

use annals::internal::journal::JournalReader;
use annals::internal::search::{Asked, Order, SearchReader, search, snippet};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::Imported;
use crate::BenchError;
use crate::harness::{board, drop_pages, percentile, watched};
use crate::request::Request;
use crate::workload::Random;

/// A question in one program, and as a process, milliseconds.
const WARM_MS: f64 = 30.0;
const CALL_MS: f64 = 100.0;
const HITS: usize = 10;
const SNIPPET_CHARS: usize = 220;
const SEED: u64 = 0x5EA2_C4ED;

pub fn run(full: &Imported<'_>, request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let printing = || BenchError::io("printing");
    let all = queries(full, if request.quick { 40 } else { 200 })?;
    let annals = full.root.join(".annals");
    let (index, journal) = (annals.join("search.db"), annals.join("journal"));
    watched(full.real.command(&full.root).args(["search", "error"]), &[0])?;
    let mut told = |what: &str, took: &[f64], limit: Option<f64>, beside: &str| {
        let (p50, p99) = (percentile(took, 0.5), percentile(took, 0.99));
        writeln!(out, "  {what:<52} p50 {p50:>8.2}  p99 {p99:>8.2}  {beside}")?;
        for (part, ms) in [("p50", p50), ("p99", p99)] {
            if let Some(limit) = limit {
                let what = format!("search, {what}, {part}");
                board::note_beside(what, (ms, limit), "ms", beside.to_owned());
            }
        }
        out.flush()
    };
    let about = format!("{} questions, {} MB of sessions", all.len(), full.bytes / 1_000_000);
    let reader = JournalReader::open(&journal).map_err(BenchError::program("opening"))?;
    let store = SearchReader::open(&index).map_err(BenchError::program("opening"))?;
    let (mut warm, mut slowest) = (Vec::new(), (0.0, ""));
    for query in &all {
        ask(&store, &reader, query)?;
        let start = Instant::now();
        ask(&store, &reader, query)?;
        let took = start.elapsed().as_secs_f64() * 1e3;
        warm.push(took);
        if took > slowest.0 {
            slowest = (took, query);
        }
    }
    let beside = format!("{about}; the slowest {:.1} ms: {}", slowest.0, slowest.1);
    told("warm, ten hits and their snippets", &warm, Some(WARM_MS), &beside).map_err(printing())?;
    drop((store, reader));
    let floor = floor(&index, &all)?;
    told("floor: FTS5 alone, ten rows by rank", &floor, None, &about).map_err(printing())?;
    let call = |query: &str| {
        // What begins with a dash would be an option.
        watched(full.real.command(&full.root).args(["search", "--"]).arg(query), &[0])
            .map(|it| it.took.as_secs_f64() * 1e3)
    };
    let calls = all.iter().take(100).map(|it| call(it)).collect::<Result<Vec<f64>, _>>()?;
    told("as a process", &calls, Some(CALL_MS), &about).map_err(printing())?;
    let (mut cold, mut is_cold) = (Vec::new(), true);
    for query in all.iter().take(20) {
        is_cold &= drop_pages(std::slice::from_ref(&annals))?;
        cold.push(call(query)?);
    }
    match is_cold {
        true => told("as a process, cold", &cold, None, "20 questions").map_err(printing()),
        false => {
            writeln!(out, "  cold: not measured: the files are in memory alone").map_err(printing())
        }
    }
}

fn ask(store: &SearchReader, journal: &JournalReader, query: &str) -> Result<(), BenchError> {
    let asked = Asked::of(query);
    let found = search(store, &asked, None, Order::Ranked, (0, HITS));
    for hit in found.map_err(BenchError::program("searching"))?.hits {
        snippet(journal, hit.sequence, hit.part, &asked, SNIPPET_CHARS)
            .map(std::hint::black_box)
            .map_err(BenchError::program("searching"))?;
    }
    Ok(())
}

/// The same words, any of them, asked of the full-text table by itself.
fn floor(index: &std::path::Path, queries: &[String]) -> Result<Vec<f64>, BenchError> {
    let read = || -> rusqlite::Result<Vec<f64>> {
        let connection = Connection::open_with_flags(index, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let sql = "SELECT rowid FROM found WHERE found MATCH ?1 ORDER BY rank LIMIT 10";
        let mut find = connection.prepare(sql)?;
        let mut took = Vec::new();
        for query in queries {
            let words = query.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
            let words: Vec<String> = words.map(|it| format!("\"{it}\"")).collect();
            let asked = words.join(" OR ");
            for is_timed in [false, true] {
                let start = Instant::now();
                let rows = find.query_map([&asked], |row| row.get::<_, i64>(0))?;
                std::hint::black_box(rows.collect::<rusqlite::Result<Vec<i64>>>()?);
                if is_timed {
                    took.push(start.elapsed().as_secs_f64() * 1e3);
                }
            }
        }
        Ok(took)
    };
    read().map_err(BenchError::peer("searching"))
}

/// Questions made of words that people wrote in these sessions: of one word, of two and three that stand together, a
/// phrase, a beginning.
fn queries(full: &Imported<'_>, count: usize) -> Result<Vec<String>, BenchError> {
    let texts = prompts(&full.real.transcripts)?;
    let mut words: Vec<&str> = Vec::new();
    for text in &texts {
        let of_text = text.split(|it: char| !it.is_ascii_alphanumeric());
        words.extend(of_text.filter(|it| it.len() > 2 && it.len() < 24));
    }
    // How common they are.
    let mut often: BTreeMap<String, usize> = BTreeMap::new();
    words.iter().for_each(|it| *often.entry(it.to_lowercase()).or_default() += 1);
    let mut common: Vec<(&String, &usize)> = often.iter().collect();
    common.sort_by(|a, b| b.1.cmp(a.1));
    if words.len() < 8 {
        return Err(BenchError::Usage("the sessions have no prompts to take words from".into()));
    }
    let mut random = Random::new(SEED);
    let mut queries = Vec::with_capacity(count);
    for at in 0..count {
        let begin = random.between(0, words.len() as u64 - 4) as usize;
        let [one, two, three] = [words[begin], words[begin + 1], words[begin + 2]];
        queries.push(match at % 6 {
            0 => one.to_owned(),
            1 => format!("{one} {two}"),
            2 => format!("{one} {two} {three}"),
            3 => format!("\"{one} {two}\""),
            4 => format!("{}*", &one[..3]),
            _ => common[at % common.len().min(100)].0.clone(),
        });
    }
    Ok(queries)
}

/// What people wrote.
fn prompts(transcripts: &[PathBuf]) -> Result<Vec<String>, BenchError> {
    let io = || BenchError::io("reading a transcript");
    let mut found = Vec::new();
    for path in transcripts {
        for line in BufReader::new(File::open(path).map_err(io())?).split(b'\n') {
            let line = line.map_err(io())?;
            // A few lines hold two records, or none.
            let Ok(record) = serde_json::from_slice::<Value>(&line) else { continue };
            if record["type"] == "user"
                && let Some(text) = record["message"]["content"].as_str()
            {
                found.push(text.to_owned());
            }
        }
    }
    Ok(found)
}
