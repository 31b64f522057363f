//! Contenders measured in turns (A B A B …), so that a noisy machine is noisy for all of them.

use std::io::Write;
use std::time::{Duration, Instant};

use super::board::{self, Met, OF_LIMIT, Row};
use super::effort::{Calls, processor_time};
use super::{Spread, settle};
use crate::BenchError;

type Work<'a> = Box<dyn FnMut() -> Result<Duration, BenchError> + 'a>;

/// Contenders for the same work. The first is the floor: every ratio is to it, round by round.
pub struct Contest<'a> {
    title: String,
    unit: &'static str,
    amount: f64,
    contenders: Vec<(String, Work<'a>)>,
    /// Which contender is to reach which ratio.
    aims: Vec<(usize, f64)>,
    /// Which contender does the least of what is promised, and nothing else.
    limit: Option<usize>,
}

impl<'a> Contest<'a> {
    /// `amount` is how many `unit`s each contender does in one round.
    pub fn new(title: impl Into<String>, amount: f64, unit: &'static str) -> Self {
        Self {
            title: title.into(),
            unit,
            amount,
            contenders: Vec::new(),
            aims: Vec::new(),
            limit: None,
        }
    }

    /// Adds a contender that times itself: what it prepares and clears away does not count.
    pub fn enter(
        &mut self,
        name: impl Into<String>,
        work: impl FnMut() -> Result<Duration, BenchError> + 'a,
    ) -> &mut Self {
        self.contenders.push((name.into(), Box::new(work)));
        self
    }

    /// The contender entered last is to reach this ratio to the first.
    pub fn aim(&mut self, ratio: f64) {
        self.aims.push((self.contenders.len() - 1, ratio));
    }

    /// The contender entered last does the least that can be done of what is promised beyond the floor: what is
    /// aimed at is held against it as well.
    pub fn limit(&mut self) {
        self.limit = Some(self.contenders.len() - 1);
    }

    /// Runs `rounds` rounds and prints a table; the first round of all is thrown away. Returns
    /// each contender's ratio to the first.
    pub fn run(&mut self, rounds: usize, out: &mut dyn Write) -> Result<Vec<Spread>, BenchError> {
        let mut rates = vec![Vec::with_capacity(rounds); self.contenders.len()];
        let mut efforts = vec![Vec::with_capacity(rounds); self.contenders.len()];
        for round in 0..=rounds {
            let kept = rates.iter_mut().zip(&mut efforts);
            for ((_, work), (rates, efforts)) in self.contenders.iter_mut().zip(kept) {
                settle()?;
                let before = processor_time();
                let rate = self.amount / work()?.as_secs_f64().max(1e-9);
                let effort = processor_time().saturating_sub(before);
                if round > 0 {
                    rates.push(rate);
                    efforts.push(effort.as_secs_f64() / self.amount);
                }
            }
        }
        let ratios = self.print(&rates, out).map_err(BenchError::io("printing"))?;
        self.print_efforts(&efforts, out)?;
        for (at, aim) in &self.aims {
            let Spread { min, median, max } = ratios[*at];
            board::note(Row {
                what: format!("{}: {}", self.title, self.contenders[*at].0),
                against: self.contenders[0].0.clone(),
                measured: format!("{median:.2} ({min:.2} … {max:.2})"),
                wanted: format!("≥ {aim:.2}"),
                beside: self.of_limit(median, &ratios) + &self.others(&ratios),
                met: met(median, *aim, self.limit.map(|at| ratios[at].median)),
            });
        }
        Ok(ratios)
    }

    fn of_limit(&self, median: f64, ratios: &[Spread]) -> String {
        let Some(at) = self.limit else { return String::new() };
        format!("{:.2} of {}; ", median / ratios[at].median, self.contenders[at].0)
    }

    /// What the contenders reached that are only there to compare.
    fn others(&self, ratios: &[Spread]) -> String {
        let is_aimed = |at: usize| self.aims.iter().any(|aim| aim.0 == at);
        let others = self.contenders.iter().zip(ratios).enumerate();
        let others = others.filter(|(at, _)| *at > 0 && !is_aimed(*at));
        let texts: Vec<String> =
            others.map(|(_, ((name, _), it))| format!("{name} {:.2}", it.median)).collect();
        texts.join(", ")
    }

    fn print(&self, rates: &[Vec<f64>], out: &mut dyn Write) -> std::io::Result<Vec<Spread>> {
        writeln!(out, "\n{}", self.title)?;
        writeln!(
            out,
            "  {:<46} {:>12} {:>7}   {:<15}",
            "",
            format!("{}/s", self.unit),
            "ratio",
            "min … max"
        )?;
        let mut ratios = Vec::with_capacity(rates.len());
        for ((name, _), own) in self.contenders.iter().zip(rates) {
            let against = |(own, floor): (&f64, &f64)| own / floor;
            let paired: Vec<f64> = own.iter().zip(&rates[0]).map(against).collect();
            let ratio = Spread::of(&paired);
            writeln!(
                out,
                "  {name:<46} {:>12} {:>7.2}   {:.2} … {:.2}",
                short(Spread::of(own).median),
                ratio.median,
                ratio.min,
                ratio.max
            )?;
            ratios.push(ratio);
        }
        out.flush()?;
        Ok(ratios)
    }

    /// What a round took beside its time, all of it: what is prepared as well.
    fn print_efforts(
        &mut self,
        efforts: &[Vec<f64>],
        out: &mut dyn Write,
    ) -> Result<(), BenchError> {
        let io = BenchError::io("printing");
        let unit = self.unit.strip_suffix('s').unwrap_or(self.unit);
        let head = ["processor", "calls", "flushes"].map(|what| format!("{what}/{unit}"));
        let [processor, calls, flushes] = head;
        let mut lines = format!("  {:<46} {processor:>18} {calls:>18} {flushes:>18}\n", "");
        for ((name, work), own) in self.contenders.iter_mut().zip(efforts) {
            let processor = short_time(Spread::of(own).median);
            let counted = Calls::of(work)?.map(|it| [it.all, it.flushes]);
            let [calls, flushes] = match counted {
                Some(counted) => counted.map(|it| format!("{:.4}", it as f64 / self.amount)),
                None => [(); 2].map(|()| "not counted".to_owned()),
            };
            lines += &format!("  {name:<46} {processor:>18} {calls:>18} {flushes:>18}\n");
        }
        out.write_all(lines.as_bytes()).and_then(|()| out.flush()).map_err(io)
    }
}

/// Nanoseconds, microseconds or milliseconds.
fn short_time(seconds: f64) -> String {
    match seconds {
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s if s >= 1e-6 => format!("{:.2} µs", s * 1e6),
        s => format!("{:.2} ns", s * 1e9),
    }
}

/// Three digits and a thousand's letter.
fn short(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{:.2} G", v / 1e9),
        v if v >= 1e6 => format!("{:.2} M", v / 1e6),
        v if v >= 1e4 => format!("{:.1} k", v / 1e3),
        v if v >= 100.0 => format!("{v:.0}"),
        v => format!("{v:.2}"),
    }
}

/// How long it took.
pub fn timed(work: impl FnOnce() -> Result<(), BenchError>) -> Result<Duration, BenchError> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn met(median: f64, aim: f64, limit: Option<f64>) -> Met {
    // What is well above it shows that it is none.
    let at = |limit: f64| (OF_LIMIT..2.0 - OF_LIMIT).contains(&(median / limit));
    match limit.filter(|it| *it < aim) {
        _ if median >= aim => Met::Yes,
        Some(limit) if at(limit) => Met::AtLimit,
        _ => Met::No,
    }
}

#[cfg(test)]
mod tests {
    use super::{Met, met};

    #[test]
    fn a_limit_excuses_who_reaches_it_alone() {
        for (median, limit, wanted) in [
            (0.95, None, Met::Yes),
            (0.85, None, Met::No),
            (0.85, Some(0.85), Met::AtLimit),
            (0.77, Some(0.85), Met::AtLimit),
            (0.76, Some(0.85), Met::No),
            // Well above it: it is none.
            (0.89, Some(0.80), Met::No),
            // Above what is wanted it excuses nobody.
            (0.89, Some(0.95), Met::No),
        ] {
            assert_eq!(met(median, 0.9, limit), wanted, "{median} of {limit:?}");
        }
    }
}
