//! The map of a tree of 50 000 files: from nothing, and where nothing has changed since.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use annals::internal::journal::clock;
use annals::internal::redact::Redactor;
use annals::internal::repo::tree::{Tree, scan};

use crate::BenchError;
use crate::harness::{Contest, Program, timed, watched};
use crate::request::Request;

/// Files of one folder.
const IN_FOLDER: u64 = 20;
/// A line that defines nothing.
const LINE: &str = "    let value = compute(input, other) + 17; // and why it is so\n";
/// Languages, and a line of each that defines something.
const DEFINING: [(&str, &str); 5] = [
    ("rs", "pub fn f() {\n"),
    ("py", "def f():\n"),
    ("ts", "export function f() {\n"),
    ("go", "func F() {\n"),
    ("md", "## Part\n"),
];

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count.unwrap_or(50_000);
    let folder = request.folder()?;
    let (top, cache) = (folder.path().join("top"), folder.path().join("cache"));
    let bytes = plant(&top, count)?;
    let redactor = Redactor::new(&[]);
    // As if the tree had been there for a while: what changed a moment ago is read at every look.
    let scan_ms = clock::now_ms() + 60_000;
    let look = || {
        let cache = Some(cache.as_path());
        let tree = Tree { top: &top, cache, of: b"bench", redactor: &redactor, scan_ms };
        scan(&tree).map_err(BenchError::program("mapping a tree"))
    };
    let size = format!("{count} files, {} MiB", bytes >> 20);
    let mut contest = Contest::new(format!("from nothing: {size}"), count as f64, "files");
    contest.enter("floor: readdir, stat, every byte read, one thread", || {
        timed(|| visit(&top, true).map(|seen| assert!(black_box(seen) > 0)))
    });
    contest.enter("annals", || {
        drop(fs::remove_file(&cache)); // there is none the first time
        timed(|| if look()?.read == count { Ok(()) } else { Err(wrong(&top)) })
    });
    contest.run(request.rounds, out)?;
    let program = Program::find()?;
    program.init(&top)?;
    let mut contest = Contest::new(format!("nothing changed: {size}"), count as f64, "files");
    contest.enter("floor: readdir, stat, one thread", || {
        timed(|| visit(&top, false).map(|seen| assert!(black_box(seen) > 0)))
    });
    look()?;
    contest.enter("annals", || timed(|| if look()?.read == 0 { Ok(()) } else { Err(wrong(&top)) }));
    contest.enter("annals context, the whole process", || {
        watched(program.in_project(&top).arg("context"), &[0]).map(|ran| ran.took)
    });
    contest.run(request.rounds, out).map(drop)
}

fn wrong(top: &Path) -> BenchError {
    BenchError::Wrong { path: top.to_owned() }
}

/// A tree of this many files; gives their bytes. Sizes from 1 to 40 KiB, most of them small.
fn plant(top: &Path, count: u64) -> Result<u64, BenchError> {
    let (mut bytes, mut seed) = (0, 0x9e37_79b9_7f4a_7c15_u64);
    for number in 0..count {
        let module = number / IN_FOLDER;
        let folder = top.join(format!("area{}/part{}/module{module}", module % 25, module % 250));
        if number % IN_FOLDER == 0 {
            fs::create_dir_all(&folder).map_err(BenchError::io("making a tree"))?;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let functions = 1 + (40 / (1 + (seed >> 33) % 40)) as usize;
        let (extension, defining) = DEFINING[(number % 5) as usize];
        let text = format!("{defining}{}", LINE.repeat(14)).repeat(functions);
        bytes += text.len() as u64;
        let path = folder.join(format!("file_{number}.{extension}"));
        fs::write(path, text).map_err(BenchError::io("making a tree"))?;
    }
    Ok(bytes)
}

/// Looks at every file below a folder; reads them where they are to be read.
fn visit(top: &Path, read: bool) -> Result<u64, BenchError> {
    let mut folders = vec![top.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(BenchError::io("reading a tree"))? {
            let entry = entry.map_err(BenchError::io("reading a tree"))?;
            let about = entry.metadata().map_err(BenchError::io("reading a tree"))?;
            if about.is_dir() {
                folders.push(entry.path());
            } else if read {
                seen +=
                    fs::read(entry.path()).map_err(BenchError::io("reading a tree"))?.len() as u64;
            } else {
                seen += about.len();
            }
        }
    }
    Ok(seen)
}
