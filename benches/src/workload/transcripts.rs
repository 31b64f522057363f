//! Transcripts of agents: copies of real ones under other ids, and lean ones made to measure.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::BenchError;

/// The transcripts in a folder, by name.
pub fn transcripts_in(folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let io = || BenchError::io("listing transcripts");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(io())? {
        let path = entry.map_err(io())?.path();
        if path.is_dir() {
            found.extend(transcripts_in(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Bytes of these files.
pub fn bytes_of(files: &[PathBuf]) -> u64 {
    files.iter().filter_map(|file| fs::metadata(file).ok()).map(|it| it.len()).sum()
}

/// So many copies of transcripts, or of as many of them as make so many bytes. Each copy is another session: the
/// ids of calls, records and sessions are changed, so that nothing is a duplicate.
pub fn replicate(
    sources: &[PathBuf],
    to: &Path,
    is_enough: impl Fn(u32, u64) -> bool,
) -> Result<Vec<PathBuf>, BenchError> {
    let io = || BenchError::io("copying transcripts");
    let (mut files, mut total, mut copy) = (Vec::new(), 0, 0_u32);
    while !is_enough(copy, total) {
        let folder = to.join(format!("{copy:04}"));
        fs::create_dir_all(&folder).map_err(io())?;
        for path in sources {
            // What is no text stays as it is.
            let text = String::from_utf8_lossy(&fs::read(path).map_err(io())?).into_owned();
            let target = folder.join(path.file_name().unwrap_or_default());
            fs::write(&target, altered(&text, copy)).map_err(io())?;
            total += text.len() as u64;
            files.push(target);
        }
        if sources.is_empty() {
            break;
        }
        copy += 1;
    }
    Ok(files)
}

/// The text with the copy's number in every call id and every UUID.
fn altered(text: &str, copy: u32) -> Vec<u8> {
    let text = text.replace("toolu_0", &format!("toolu_{copy:04}"));
    let mut bytes = text.into_bytes();
    let stamp = format!("{copy:04x}");
    let mut at = 0;
    while at + 36 <= bytes.len() {
        let uuid = &bytes[at..at + 36];
        let dashes = [8, 13, 18, 23].iter().all(|&dash| uuid[dash] == b'-');
        let digits = [0, 4, 7, 9, 14, 19, 24, 30, 35];
        if dashes && digits.iter().all(|&digit| uuid[digit].is_ascii_hexdigit()) {
            bytes[at..at + 4].copy_from_slice(stamp.as_bytes());
            at += 36;
        } else {
            at += 1;
        }
    }
    bytes
}

/// Calls of a lean session.
const SESSION_CALLS: u64 = 200;

/// Lean transcripts of so many calls, a file a session: about 900 bytes a call.
pub fn lean_transcripts(to: &Path, calls: u64) -> Result<(), BenchError> {
    let io = || BenchError::io("writing transcripts");
    fs::create_dir_all(to).map_err(io())?;
    for session in 0..calls.div_ceil(SESSION_CALLS) {
        let id = format!("{session:08x}-7c1e-4f00-8a00-000000000000");
        let file = File::create(to.join(format!("{id}.jsonl"))).map_err(io())?;
        let mut file = BufWriter::with_capacity(256 << 10, file);
        let begin = session * SESSION_CALLS;
        let said = r#""role":"user","content":"Mend what fails""#;
        line(&mut file, &id, (begin, "a"), "user", said).map_err(io())?;
        for call in begin..calls.min(begin + SESSION_CALLS) {
            write_call(&mut file, &id, call).map_err(io())?;
        }
        file.flush().map_err(io())?;
    }
    Ok(())
}

fn write_call(file: &mut impl Write, session: &str, call: u64) -> std::io::Result<()> {
    let linked = super::linked(call);
    let (path, arguments) = (&linked.path, linked.arguments());
    let (tool, input) = match linked.tool {
        "bash_exec" => ("Bash", arguments),
        _ => ("Read", format!(r#"{{"file_path":"/work/repo/{path}"}}"#)),
    };
    let asked = format!(
        r#""model":"claude-x","id":"msg_{call:024}","type":"message","role":"assistant","content":[{{"type":"tool_use","id":"toolu_{call:024}","name":"{tool}","input":{input}}}],"stop_reason":"tool_use""#
    );
    line(file, session, (call, "b"), "assistant", &asked)?;
    let failed = !linked.succeeded;
    let result = format!(
        r#""role":"user","content":[{{"tool_use_id":"toolu_{call:024}","type":"tool_result","content":"{} {path}","is_error":{failed}}}]"#,
        call % 1_000
    );
    line(file, session, (call, "c"), "user", &result)
}

/// One record; two of a call are told apart by a letter.
fn line(
    file: &mut impl Write,
    session: &str,
    (call, letter): (u64, &str),
    kind: &str,
    message: &str,
) -> std::io::Result<()> {
    let second = call % SESSION_CALLS * 5 + u64::from(letter == "c");
    let (minute, second) = (second / 60, second % 60);
    writeln!(
        file,
        r#"{{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/work/repo","sessionId":"{session}","version":"2.0.76","type":"{kind}","message":{{{message}}},"uuid":"{call:08x}-7c1e-4f0{letter}-8a00-0000{}","timestamp":"2026-01-05T10:{minute:02}:{second:02}.000Z"}}"#,
        &session[..8]
    )
}
