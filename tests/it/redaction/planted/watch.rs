//! Watches every file that is written while something runs: a secret may not lie there for a moment.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::search::{Leak, files, leaks};
use super::world::World;

/// How often it looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Looks again and again at what changed.
pub struct Watch {
    over: Arc<AtomicBool>,
    seen: JoinHandle<Vec<Leak>>,
}

impl Watch {
    pub fn over(world: &World) -> Self {
        let (over, folders) = (Arc::new(AtomicBool::new(false)), world.written());
        let stop = Arc::clone(&over);
        let seen = std::thread::spawn(move || {
            let (mut known, mut found) = (HashMap::new(), Vec::new());
            loop {
                let last = stop.load(Ordering::Relaxed);
                look(&folders, &mut known, &mut found);
                if last {
                    return found;
                }
                std::thread::sleep(PAUSE);
            }
        });
        Self { over, seen }
    }

    /// What it saw.
    pub fn end(self) -> Vec<Leak> {
        self.over.store(true, Ordering::Relaxed);
        self.seen.join().expect("a watch")
    }
}

type Known = HashMap<PathBuf, (u64, i64, i64)>;

fn look(folders: &[PathBuf], known: &mut Known, found: &mut Vec<Leak>) {
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| files(folder, &mut paths));
    for path in paths {
        // What is gone by now was not read in time: the next look may see its like.
        let Ok(about) = path.metadata() else { continue };
        let state = state(&about);
        if known.get(&path) == Some(&state) {
            continue;
        }
        let place = format!("for a moment in {}", path.display());
        found.extend(leaks(place.as_bytes(), &place));
        if let Ok(bytes) = std::fs::read(&path) {
            found.extend(leaks(&bytes, &place));
        }
        known.insert(path, state);
    }
}

fn state(about: &Metadata) -> (u64, i64, i64) {
    (about.len(), about.mtime(), about.mtime_nsec())
}
