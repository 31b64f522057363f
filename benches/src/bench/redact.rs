//! Redaction of texts: of transcripts, of sources, and of texts that are made to be slow.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use annals::internal::redact::Redactor;

use crate::BenchError;
use crate::harness::{Contest, timed};
use crate::request::Request;

/// Real sessions and our own sources, seen from this package.
const TRANSCRIPTS: &str = "../tests/fixtures/transcripts";
const SOURCES: &str = "../src";
/// What one text is taken to be: an event's output.
const TEXT_BYTES: usize = 64 << 10;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let size = usize::try_from(request.count_or(16)).unwrap_or(usize::MAX) << 20;
    let redactor = Redactor::new(&[]);
    let texts = [
        ("transcripts", gathered(TRANSCRIPTS)?),
        ("sources", gathered(SOURCES)?),
        ("a keyword in every word", "password key secret token ".to_owned()),
        ("one long word of Base64", "QUtJQUlPU0ZPRE5ON0VYQU1QTEVLRVk".to_owned()),
    ];
    for (name, text) in texts {
        let texts = cut(&text, size);
        let bytes: usize = texts.iter().map(String::len).sum();
        let title = format!("redaction of {name}, {} MiB", bytes >> 20);
        let mut contest = Contest::new(title, bytes as f64, "B");
        contest.enter("floor: every byte checked for UTF-8", || {
            timed(|| {
                let valid = |text: &String| std::str::from_utf8(black_box(text.as_bytes())).is_ok();
                assert!(texts.iter().all(valid));
                Ok(())
            })
        });
        contest.enter("annals", || {
            timed(|| {
                for text in &texts {
                    black_box(redactor.find(black_box(text.as_bytes())));
                }
                Ok(())
            })
        });
        contest.run(request.rounds, out)?;
    }
    Ok(())
}

/// The files below a folder, one behind the other.
fn gathered(below: &str) -> Result<String, BenchError> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join(below);
    let (mut folders, mut text) = (vec![top.clone()], String::new());
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(BenchError::io("reading a folder"))?;
        for entry in entries {
            let path = entry.map_err(BenchError::io("reading a folder"))?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let read = fs::read(&path).map_err(BenchError::io("reading a file"))?;
                    text.push_str(&String::from_utf8_lossy(&read));
                }
            }
        }
    }
    if text.is_empty() { Err(BenchError::Wrong { path: top }) } else { Ok(text) }
}

/// A text repeated to about this many bytes, in pieces as long as an event's output.
fn cut(text: &str, size: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut chars = text.chars().cycle();
    while pieces.len() * TEXT_BYTES < size {
        let mut piece = String::with_capacity(TEXT_BYTES + 4);
        while piece.len() < TEXT_BYTES {
            piece.extend(chars.next());
        }
        pieces.push(piece);
    }
    pieces
}
