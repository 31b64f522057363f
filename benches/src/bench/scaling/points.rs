//! What was measured, a line of JSON each: of this very program alone, for another's times say nothing of it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::power;
use crate::BenchError;
use crate::harness::machine;

/// A row at one size.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Point {
    pub row: String,
    /// Executions.
    pub count: u64,
    /// Of all of them, or of one call where it must not grow: the median of `readings`.
    pub seconds: f64,
    pub readings: usize,
    /// What the least such work took in turns with it.
    pub floor_seconds: Option<f64>,
    pub peak_bytes: Option<u64>,
    /// blake3 of the program that measured it.
    pub build: String,
    pub load: String,
}

impl Point {
    pub fn new(row: &str, count: u64, seconds: f64, readings: usize) -> Self {
        let (floor_seconds, peak_bytes) = (None, None);
        let (build, load) = (String::new(), machine::load());
        Self {
            row: row.to_owned(),
            count,
            seconds,
            readings,
            floor_seconds,
            peak_bytes,
            build,
            load,
        }
    }

    /// What must not grow: as a part of its floor, where there is one, since the disk has its own moods.
    pub fn relative(&self) -> f64 {
        self.floor_seconds.map_or(self.seconds, |floor| self.seconds / floor)
    }

    /// Its time with a unit.
    pub fn shown(&self) -> String {
        match self.seconds {
            s if s >= 1.0 => format!("{s:.2} s"),
            s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
            s => format!("{:.1} µs", s * 1e6),
        }
    }

    pub fn line(&self) -> String {
        let floor =
            self.floor_seconds.map_or(String::new(), |it| format!(", floor {:.3} ms", it * 1e3));
        let peak = self.peak_bytes.map_or(String::new(), |it| format!(", peak {} MiB", it >> 20));
        let (row, count) = (&self.row, power(self.count));
        format!("{row:<28} {count:<6} {:>12}{floor}{peak}", self.shown())
    }
}

/// All points there are, and the file that they are kept in.
pub struct Points {
    path: PathBuf,
    build: String,
    all: Vec<Point>,
}

impl Points {
    pub fn open(path: &Path) -> Result<Self, BenchError> {
        let own = std::env::current_exe().and_then(std::fs::read);
        let own = own.map_err(BenchError::io("reading this program"))?;
        let build = blake3::hash(&own).to_hex()[..16].to_owned();
        let mut all = Vec::new();
        if path.exists() {
            let file = File::open(path).map_err(BenchError::io("reading points"))?;
            for line in BufReader::new(file).lines() {
                let line = line.map_err(BenchError::io("reading points"))?;
                // The last line may be half of one, where a run was killed.
                let Ok(point) = serde_json::from_str::<Point>(&line) else { continue };
                if point.build == build {
                    all.push(point);
                }
            }
        }
        Ok(Self { path: path.to_owned(), build, all })
    }

    pub fn has(&self, row: &str, count: u64) -> bool {
        self.all.iter().any(|it| it.row == row && it.count == count)
    }

    pub fn add(&mut self, mut point: Point) -> Result<(), BenchError> {
        point.build.clone_from(&self.build);
        let file = OpenOptions::new().append(true).create(true).open(&self.path);
        let mut file = file.map_err(BenchError::io("writing points"))?;
        let line = serde_json::to_string(&point).map_err(BenchError::program("writing points"))?;
        // A half line before is ended.
        write!(file, "\n{line}\n").map_err(BenchError::io("writing points"))?;
        self.all.push(point);
        Ok(())
    }

    /// By size.
    pub fn into_all(mut self) -> Vec<Point> {
        self.all.sort_by_key(|it| it.count);
        self.all
    }
}
