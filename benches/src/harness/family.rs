//! Questions that have one limit: each asked with nothing in memory, then many times; the slowest tells.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::{Spread, board, drop_pages};
use crate::BenchError;

/// Whatever a question can end with.
pub type Failed = Box<dyn std::error::Error + Send + Sync>;

/// A question: how many items it answers with.
pub type Question<'a> = Box<dyn Fn() -> Result<usize, Failed> + 'a>;

/// A question, by name, and the least that its answer can cost: made when it is wanted, since it must know the
/// answer.
pub struct Asking<'a> {
    pub name: String,
    pub ask: Question<'a>,
    pub floor: Option<Box<dyn Fn() -> Result<Question<'a>, BenchError> + 'a>>,
}

impl<'a> Asking<'a> {
    pub fn new(name: impl Into<String>, ask: Question<'a>) -> Self {
        Self { name: name.into(), ask, floor: None }
    }
}

/// Makes the questions that are asked of a store.
pub type Questions<S> = for<'s> fn(&'s S) -> Result<Vec<Asking<'s>>, BenchError>;

/// How questions are asked.
pub struct Family<'f> {
    pub what: &'f str,
    /// What each is to be answered in; none: it is told, and held against nothing.
    pub limit_ms: Option<f64>,
    /// What is read to answer: dropped from memory before a cold question.
    pub files: Vec<PathBuf>,
    /// Times that each is asked cold.
    pub cold: usize,
    /// Times that each is asked warm, fewer where that takes longer than `WARM`.
    pub warm: usize,
}

/// As long a question is asked over and over at most, `WARM_LEAST` times in any case.
const WARM: Duration = Duration::from_millis(1_500);
const WARM_LEAST: usize = 20;

/// How long a question took, milliseconds.
struct Reading {
    name: String,
    p50: f64,
    p99: f64,
    cold: Option<f64>,
}

impl Family<'_> {
    /// Asks all; prints a line each, and notes the slowest on the board.
    pub fn run<S>(
        &self,
        open: &dyn Fn() -> Result<S, BenchError>,
        questions: Questions<S>,
        out: &mut dyn Write,
    ) -> Result<(), BenchError> {
        let printing = || BenchError::io("printing");
        let limit = self.limit_ms.map(|it| format!(", limit {it} ms")).unwrap_or_default();
        writeln!(out, "\n{}{limit}, milliseconds", self.what).map_err(printing())?;
        writeln!(out, "  {:<64} {:>9} {:>9} {:>9} {:>9}", "", "p50", "p99", "cold", "floor")
            .map_err(printing())?;
        let count = questions(&open()?)?.len();
        let cold =
            (0..count).map(|at| self.cold(at, open, questions)).collect::<Result<Vec<_>, _>>()?;
        let opened = open()?;
        let mut readings = Vec::with_capacity(count);
        for (asking, cold) in questions(&opened)?.into_iter().zip(cold) {
            let (took, items) = self.warm(&asking.ask)?;
            let floor = match &asking.floor {
                Some(floor) => Some(percentile(&self.warm(&floor()?)?.0, 0.5)),
                None => None,
            };
            let (p50, p99) = (percentile(&took, 0.5), percentile(&took, 0.99));
            let told = |it: Option<f64>| it.map_or("-".to_owned(), |it| format!("{it:.3}"));
            writeln!(
                out,
                "  {:<64} {p50:>9.3} {p99:>9.3} {:>9} {:>9}   {items} items, asked {} times",
                asking.name,
                told(cold),
                told(floor),
                took.len()
            )
            .map_err(printing())?;
            readings.push(Reading { name: asking.name, p50, p99, cold });
        }
        self.note(&readings);
        out.flush().map_err(printing())
    }

    /// One question with a store just opened, whose files are not in memory; `None` where they cannot be dropped.
    fn cold<S>(
        &self,
        at: usize,
        open: &dyn Fn() -> Result<S, BenchError>,
        questions: Questions<S>,
    ) -> Result<Option<f64>, BenchError> {
        let mut took = Vec::with_capacity(self.cold);
        for _ in 0..self.cold {
            if !drop_pages(&self.files)? {
                return Ok(None);
            }
            let start = Instant::now();
            let opened = open()?;
            let opening = start.elapsed();
            let asked = questions(&opened)?;
            let Some(asking) = asked.get(at) else { continue };
            let start = Instant::now();
            (asking.ask)().map_err(failed)?;
            took.push((opening + start.elapsed()).as_secs_f64() * 1e3);
        }
        Ok((!took.is_empty()).then(|| Spread::of(&took).median))
    }

    fn warm(&self, ask: &Question<'_>) -> Result<(Vec<f64>, usize), BenchError> {
        let mut items = ask().map_err(failed)?;
        let (mut took, begin) = (Vec::with_capacity(self.warm), Instant::now());
        while took.len() < self.warm && (took.len() < WARM_LEAST || begin.elapsed() < WARM) {
            let start = Instant::now();
            items = ask().map_err(failed)?;
            took.push(start.elapsed().as_secs_f64() * 1e3);
        }
        Ok((took, items))
    }

    fn note(&self, readings: &[Reading]) {
        let Some(limit) = self.limit_ms else { return };
        let worst = |of: &dyn Fn(&Reading) -> f64| {
            readings
                .iter()
                .max_by(|a, b| of(a).total_cmp(&of(b)))
                .map(|it| (of(it), it.name.as_str()))
        };
        let cold = worst(&|it| it.cold.unwrap_or_default()).filter(|it| it.0 > 0.0);
        let cold = cold.map_or("cold: not measured".to_owned(), |(ms, name)| {
            format!("cold, opening included, at most {ms:.1} ms ({name})")
        });
        for (what, of) in [
            ("p50", &(|it: &Reading| it.p50) as &dyn Fn(&Reading) -> f64),
            ("p99", &|it: &Reading| it.p99),
        ] {
            let Some((ms, name)) = worst(of) else { continue };
            let over = readings.iter().filter(|it| of(it) > limit).count();
            let beside = format!("{name}; {over} of {} above; {cold}", readings.len());
            let title = format!("{}: the slowest by {what}", self.what);
            board::note_beside(title, (ms, limit), "ms", beside);
        }
    }
}

fn failed(source: Failed) -> BenchError {
    BenchError::Program { did: "asking", source }
}

/// The reading below which so much of all is.
pub fn percentile(readings: &[f64], part: f64) -> f64 {
    let mut sorted = readings.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(at.saturating_sub(1)).copied().unwrap_or_default()
}
