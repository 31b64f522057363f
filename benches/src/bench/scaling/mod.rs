//! What grows with the number of executions, and what must not: every row at 10⁴ to 10⁶ or 10⁷, each point written
//! down as soon as it is measured, so that a run that was stopped goes on; and drawn.

mod fit;
mod measure;
mod plot;
mod points;
#[cfg(test)]
mod tests;

use std::io::Write;

use crate::BenchError;
use crate::harness::{board, machine};
use crate::request::Request;
use fit::{growth, slope};
use measure::Fixture;
use points::{Point, Points};

/// How a row must grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// With the number of executions: twice as many, twice as long.
    Straight,
    /// Not at all.
    Flat,
}

/// The rows, in the order in which a project of one size is asked for them.
const ROWS: [(&str, Shape); 13] = [
    ("buffered append", Shape::Straight),
    ("verify, the chain too", Shape::Straight),
    ("replay", Shape::Straight),
    ("rebuild execution_log.db", Shape::Straight),
    ("rebuild codegraph.db", Shape::Straight),
    ("rebuild all stores", Shape::Straight),
    ("open a writer", Shape::Flat),
    ("open a reader", Shape::Flat),
    ("timeline position", Shape::Flat),
    ("pending failures", Shape::Flat),
    ("durable append", Shape::Flat),
    ("hook", Shape::Flat),
    ("import", Shape::Straight),
];

/// How far the exponent may be from 1, and by how much a point may be above one of fewer executions.
const SLOPE: f64 = 0.1;
const GROWTH: f64 = 1.3;
/// Nobody waits for less: how full the last segment is makes more of a difference to an opening.
const NOTHING_S: f64 = 0.2e-3;
/// Of whatever reads or writes everything, MiB.
const PEAK_MIB: f64 = 64.0;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let mut counts = vec![10_000, 100_000];
    if !request.quick {
        counts.push(1_000_000);
    }
    if request.large {
        counts.push(10_000_000);
    }
    let points = measured(request, &counts, out)?;
    if let Some(path) = &request.out {
        let drawing = plot::draw(&points, &about(request));
        std::fs::write(path, drawing).map_err(BenchError::io("writing a drawing"))?;
    }
    note(&points);
    Ok(())
}

/// What a table has of it: the small sizes, and what was measured before by this very program.
pub fn few(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let points = measured(request, &[10_000, 100_000], out)?;
    note(&points);
    Ok(())
}

fn about(request: &Request) -> String {
    format!("{}; {}", machine::describe_machine(&request.dir), machine::describe_build())
}

/// Measures what is missing.
fn measured(
    request: &Request,
    counts: &[u64],
    out: &mut dyn Write,
) -> Result<Vec<Point>, BenchError> {
    let log = request.log.clone().unwrap_or_else(|| request.dir.join("annals-scaling.jsonl"));
    let mut points = Points::open(&log)?;
    writeln!(out, "\nscaling, points in {}", log.display()).map_err(BenchError::io("printing"))?;
    for &count in counts {
        let missing: Vec<&str> =
            ROWS.iter().map(|it| it.0).filter(|row| !points.has(row, count)).collect();
        if missing.is_empty() {
            continue;
        }
        let needed = measure::disk_bytes(count);
        let free = fs2::available_space(&request.dir).map_err(BenchError::io("asking a disk"))?;
        if free < needed {
            let why = format!("{} GB of disk are needed, {} are free", needed >> 30, free >> 30);
            writeln!(out, "  {count}: {why}").map_err(BenchError::io("printing"))?;
            board::note_missing(format!("scaling at {count}"), why);
            continue;
        }
        let mut fixture = Fixture::new(request, count)?;
        for row in missing {
            match fixture.measure(row) {
                Ok(point) => {
                    writeln!(out, "  {}", point.line()).map_err(BenchError::io("printing"))?;
                    points.add(point)?;
                }
                Err(error) => {
                    writeln!(out, "  {row} at {count}: {error}")
                        .map_err(BenchError::io("printing"))?;
                    board::note_missing(format!("scaling: {row} at {count}"), error);
                }
            }
            out.flush().map_err(BenchError::io("printing"))?;
        }
    }
    Ok(points.into_all())
}

/// A row of the board for each, and for the most memory that any of the largest took.
fn note(points: &[Point]) {
    for (row, shape) in ROWS {
        let own: Vec<&Point> = points.iter().filter(|it| it.row == row).collect();
        let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
        if own.len() < 2 {
            board::note_missing(format!("scaling: {row}"), "one size alone was measured");
            continue;
        }
        let from_to = format!("{} to {}", power(first.count), power(last.count));
        let times: Vec<String> =
            own.iter().map(|it| format!("{} {}", power(it.count), it.shown())).collect();
        let (measured, wanted, is_met) = match shape {
            Shape::Straight => {
                let slope = slope(&own);
                let is_met = (slope - 1.0).abs() <= SLOPE;
                (format!("time ~ n^{slope:.2}"), format!("n^1 ± {SLOPE}"), is_met)
            }
            Shape::Flat => {
                let growth = growth(&own);
                let rise = own.iter().map(|it| it.seconds - first.seconds).fold(0.0, f64::max);
                let is_met = growth <= GROWTH || rise <= NOTHING_S;
                let wanted = format!("≤ {GROWTH} ×, or 0.2 ms");
                (format!("{growth:.2} ×, {:.3} ms", rise * 1e3), wanted, is_met)
            }
        };
        let what = match shape {
            Shape::Straight => format!("scaling: {row} is straight, {from_to}"),
            Shape::Flat => format!("scaling: {row} is flat, {from_to}"),
        };
        board::note(board::Row {
            what,
            against: if last.floor_seconds.is_some() { "floor beside it" } else { "" }.into(),
            measured,
            wanted,
            beside: times.join(", "),
            met: is_met.into(),
        });
        let peaks: Vec<(u64, f64)> = own
            .iter()
            .filter_map(|it| Some((it.count, it.peak_bytes? as f64 / f64::from(1 << 20))))
            .collect();
        if let Some((count, peak)) = peaks.last() {
            let all: Vec<String> =
                peaks.iter().map(|it| format!("{} {:.0} MiB", power(it.0), it.1)).collect();
            let what = format!("scaling: {row}, peak memory at {}", power(*count));
            board::note_beside(what, (*peak, PEAK_MIB), "MiB", all.join(", "));
        }
    }
}

/// A power of ten, written as one.
fn power(count: u64) -> String {
    match count.ilog10() {
        exponent if 10_u64.pow(exponent) == count => format!("10^{exponent}"),
        _ => count.to_string(),
    }
}
