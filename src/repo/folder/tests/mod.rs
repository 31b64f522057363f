//! A repository's files against what people and dying writers make of them.

mod damage;
mod killed;

use std::path::Path;
use std::{fs, io};

use super::{
    MEMORY, Part, RepoFolder, SUMMARIES, Standing, SummaryLines, Wanted, WantedFile, look,
    repo_folder,
};

const REPO: &str = "00ff";
const JOURNAL: &str = "aa";

/// What a repository remembers at some moment.
#[derive(Clone, Debug, Default)]
struct Rows {
    memory: String,
    map: String,
    lines: Vec<(u64, String)>,
    sequence: u64,
}

impl Rows {
    /// So many events, a summary with every second one; `number` sets one history apart.
    fn of(number: u8, events: u64) -> Self {
        let line = |at| (at, format!("{{\"of\":{number},\"summary\":\"step {at}\"}}\n"));
        Self {
            memory: format!("{{\n  \"of\": {number},\n  \"at\": {events}\n}}\n"),
            map: format!("{{\"files\":{}}}", events / 3),
            lines: (1..=events).filter(|at| at % 2 == 0).map(line).collect(),
            sequence: events,
        }
    }

    fn text(&self) -> String {
        self.lines.iter().map(|(_, line)| line.as_str()).collect()
    }

    fn wanted(&self) -> Wanted<'_> {
        Wanted {
            journal: JOURNAL,
            sequence: self.sequence,
            read: self.sequence,
            memory: WantedFile {
                name: MEMORY,
                bytes: self.memory.as_bytes(),
                parts: vec![("note a".to_owned(), "0".to_owned())],
                parts_of: None,
            },
            indexes: vec![WantedFile {
                name: "repo-map.json",
                bytes: self.map.as_bytes(),
                parts: Vec::new(),
                parts_of: None,
            }],
            summaries: Box::new(self),
        }
    }

    fn publish(&self, home: &Path) -> Standing {
        let folder = RepoFolder::hold(home, REPO).unwrap();
        folder.publish(&self.wanted(), false).unwrap()
    }

    fn look(&self, home: &Path) -> Standing {
        look(home, REPO, &self.wanted()).unwrap()
    }

    /// The files hold this and nothing of a writer lies beside them.
    fn are_in(&self, home: &Path) {
        let folder = repo_folder(home, REPO);
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read(MEMORY), self.memory);
        assert_eq!(read("indexes/repo-map.json"), self.map);
        if !self.lines.is_empty() {
            assert_eq!(read(SUMMARIES), self.text());
        }
        let mut names: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .chain(fs::read_dir(folder.join("indexes")).unwrap())
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.retain(|name| name.ends_with(".new"));
        assert_eq!(names, Vec::<String>::new());
        assert!(super::is_current(home, REPO, JOURNAL, self.sequence).unwrap());
        assert!(self.look(home).is_current(), "{:?}", self.look(home));
    }
}

impl SummaryLines for &Rows {
    fn after(&self, sequence: u64, limit: usize) -> io::Result<Vec<(u64, String)>> {
        let after = self.lines.iter().filter(|(at, _)| *at > sequence);
        Ok(after.take(limit.min(2)).cloned().collect())
    }

    fn count(&self, through: u64) -> io::Result<u64> {
        Ok(self.lines.iter().filter(|(at, _)| *at <= through).count() as u64)
    }
}

fn part(standing: &Standing, name: &str) -> Part {
    standing.parts.iter().find(|(found, _)| found == name).unwrap().1.clone()
}

#[test]
fn what_was_published_step_by_step_is_what_is_published_from_nothing() {
    let home = tempfile::tempdir().unwrap();
    for events in 1..12 {
        let rows = Rows::of(1, events);
        rows.publish(home.path());
        rows.are_in(home.path());
        let fresh = tempfile::tempdir().unwrap();
        rows.publish(fresh.path());
        rows.are_in(fresh.path());
        let again = rows.publish(home.path());
        assert_eq!((again.written(), again.has_news), (0, false));
    }
}

#[test]
fn rows_that_come_in_between_are_put_in_their_place() {
    let home = tempfile::tempdir().unwrap();
    Rows::of(1, 8).publish(home.path());
    let mut linked = Rows::of(1, 9);
    linked.lines.insert(1, (3, "{\"of\":2,\"summary\":\"step 3\"}\n".to_owned()));
    linked.publish(home.path());
    linked.are_in(home.path());
}

#[test]
fn the_folders_are_0700_and_the_files_0600() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    Rows::of(1, 4).publish(&home.path().join("deep/home"));
    let folder = repo_folder(&home.path().join("deep/home"), REPO);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for name in ["", "indexes"] {
        assert_eq!(mode(&folder.join(name)), 0o700, "{name}");
    }
    for name in [MEMORY, SUMMARIES, "indexes/repo-map.json", ".cursor.json", ".lock"] {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
}
