//! Writes a repository's files.

use std::io;

use super::lines::{self, Found, LINES_MAX, Reached};
use super::sidecar::{self, FOLDER, Judged, Lines, Sidecar, Whole, hash_of, judge, of_its_own};
use super::state::{below_indexes, not_ours};
use super::{
    INDEXES, MEMORY, Part, RepoFolder, SUMMARIES, Standing, Wanted, WantedFile, blocked,
    make_child, new, stage,
};
use crate::store::dir::Dir;
use crate::store::{StoreError, fuse};

/// What is behind a file's last line is appended up to here; of more the file is written whole.
const APPENDED_BYTES_MAX: usize = 4 << 20;

/// A file that was written beside its place, and goes there.
struct Staged<'a> {
    dir: &'a Dir,
    name: &'static str,
}

enum LinesPlan {
    Nothing,
    /// Cut to where they are ours, and go on with these.
    Append {
        at: u64,
        bytes: Vec<u8>,
    },
    /// Written beside its place.
    Staged,
}

impl RepoFolder {
    /// Writes what the files lack. What a person edited, and what is another journal's, is left, unless
    /// it is to be discarded.
    pub fn publish(&self, wanted: &Wanted<'_>, discard: bool) -> Result<Standing, StoreError> {
        self.write(wanted, discard).map_err(|source| self.failed("writing the files", source))
    }

    fn write(&self, wanted: &Wanted<'_>, discard: bool) -> io::Result<Standing> {
        let was = Sidecar::read(&self.dir)?;
        if !discard && let Some(standing) = not_ours(was.as_ref(), wanted) {
            return Ok(standing);
        }
        let known = was.as_ref().filter(|was| was.journal == wanted.journal);
        let mut next = Sidecar {
            journal: wanted.journal.to_owned(),
            sequence: wanted.sequence,
            memory: None,
            summaries: None,
            indexes: known.map(|known| known.indexes.clone()).unwrap_or_default(),
        };
        let mut standing = Standing {
            sequence: Some(wanted.sequence),
            has_news: known.is_none_or(|known| known.sequence < wanted.sequence),
            ..Standing::default()
        };
        let mut staged = Vec::new();

        let memory = known.and_then(|known| known.memory.as_ref());
        let file = &wanted.memory;
        let (part, whole) = self.whole(&self.dir, file, memory, wanted, discard)?;
        if part == Part::Written {
            staged.push(Staged { dir: &self.dir, name: MEMORY });
        }
        next.memory = whole;
        standing.parts.push((MEMORY.to_owned(), part));

        let lines = known.and_then(|known| known.summaries.as_ref());
        let (part, plan, reached) = self.lines(lines, wanted, discard)?;
        if matches!(plan, LinesPlan::Staged) {
            staged.push(Staged { dir: &self.dir, name: SUMMARIES });
        }
        next.summaries = reached;
        standing.parts.push((SUMMARIES.to_owned(), part));

        let indexes = match wanted.indexes.is_empty() {
            true => None,
            false => Some(make_child(&self.dir, INDEXES)?),
        };
        for file in &wanted.indexes {
            let Some(indexes) = &indexes else { break };
            let known = known.and_then(|known| known.indexes.get(file.name));
            let (part, whole) = self.whole(indexes, file, known, wanted, discard)?;
            if part == Part::Written {
                staged.push(Staged { dir: indexes, name: file.name });
            }
            next.indexes.extend(whole.map(|whole| (file.name.to_owned(), whole)));
            standing.parts.push((below_indexes(file), part));
        }

        self.sweep(&staged, indexes.as_ref(), wanted)?;
        if known != Some(&next) {
            next.write(&self.dir)?;
        }
        self.finish(staged, plan)?;
        Ok(standing)
    }

    /// Takes away what a dead writer left beside files that are not written now.
    fn sweep(
        &self,
        staged: &[Staged<'_>],
        indexes: Option<&Dir>,
        wanted: &Wanted<'_>,
    ) -> io::Result<()> {
        let own = [sidecar::NAME, MEMORY, SUMMARIES].map(|name| (&self.dir, name));
        let below = wanted.indexes.iter().filter_map(|file| Some((indexes?, file.name)));
        for (dir, name) in own.into_iter().chain(below) {
            if staged.iter().all(|staged| staged.name != name) && dir.has(&new(name))? {
                dir.remove(&new(name))?;
            }
        }
        Ok(())
    }

    /// Puts everything in its place. What it will be is durable before.
    fn finish(&self, staged: Vec<Staged<'_>>, plan: LinesPlan) -> io::Result<()> {
        if !staged.is_empty() {
            self.dir.sync()?;
        }
        for file in &staged {
            file.dir.rename(&new(file.name), file.dir, file.name)?;
        }
        if let LinesPlan::Append { at, bytes } = plan {
            self.append(at, &bytes)?;
        }
        for (number, file) in staged.iter().enumerate() {
            let is_first = staged[..number].iter().all(|other| !std::ptr::eq(other.dir, file.dir));
            if is_first {
                file.dir.sync()?;
            }
        }
        Ok(())
    }

    fn append(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let Some(mut file) = self.dir.append(SUMMARIES)? else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "summaries.jsonl is gone"));
        };
        if file.metadata()?.len() > at {
            fuse::step()?;
            file.set_len(at)?;
        }
        if !bytes.is_empty() {
            fuse::write(&mut file, bytes)?;
        }
        fuse::sync(&file)
    }

    /// Writes a file beside its place where something else is to be there; what the sidecar says of it.
    fn whole(
        &self,
        dir: &Dir,
        file: &WantedFile<'_>,
        known: Option<&Whole>,
        wanted: &Wanted<'_>,
        discard: bool,
    ) -> io::Result<(Part, Option<Whole>)> {
        let hash = hash_of(file.bytes);
        let whole = |inode, before| Whole {
            hash: hash.clone(),
            before,
            inode,
            bytes: Some(file.bytes.len() as u64),
            sequence: wanted.sequence,
            parts: file.parts.iter().cloned().collect(),
        };
        let before = match judge(Some(dir), file, known, &hash)? {
            Judged::Wanted { inode } => {
                let before = known.filter(|known| known.hash == hash && known.inode == inode);
                let before = before.and_then(|known| known.before.clone());
                return Ok((Part::Current, Some(whole(inode, before))));
            }
            Judged::Missing => None,
            Judged::Ours { hash } => Some(hash),
            Judged::Edited if !discard => return Ok((Part::Edited, known.cloned())),
            Judged::NoFile(what) if !discard => return Ok((Part::NoFile(what), known.cloned())),
            // Nobody throws a folder away.
            Judged::NoFile(what @ FOLDER) => return Err(blocked(file.name, what)),
            Judged::Edited | Judged::NoFile(_) => None,
        };
        let inode = stage(dir, file.name, |file_to| fuse::write(file_to, file.bytes))?;
        Ok((Part::Written, Some(whole(inode, before))))
    }

    /// What is to be done about the lines, and what the sidecar says of them.
    fn lines(
        &self,
        known: Option<&Lines>,
        wanted: &Wanted<'_>,
        discard: bool,
    ) -> io::Result<(Part, LinesPlan, Option<Lines>)> {
        let found = match of_its_own(&self.dir, SUMMARIES)? {
            None if wanted.summaries.count(wanted.sequence)? == 0 => {
                return Ok((Part::Current, LinesPlan::Nothing, None));
            }
            None => None,
            Some(Err(what)) if !discard => {
                return Ok((Part::NoFile(what), LinesPlan::Nothing, known.cloned()));
            }
            Some(Err(what @ FOLDER)) => return Err(blocked(SUMMARIES, what)),
            Some(Err(_)) => Some(Found::Edited),
            Some(Ok(_)) => match self.dir.read(SUMMARIES)? {
                Some(file) => Some(lines::found(&file, known, wanted.summaries.as_ref())?),
                None => None,
            },
        };
        match found {
            Some(Found::Edited) if !discard => {
                Ok((Part::Edited, LinesPlan::Nothing, known.cloned()))
            }
            Some(Found::Ours { reached, is_torn }) if !discard => {
                self.go_on(reached, is_torn, known, wanted)
            }
            found => self.anew(found, wanted),
        }
    }

    /// Lines behind those that are there.
    fn go_on(
        &self,
        reached: Reached,
        is_torn: bool,
        known: Option<&Lines>,
        wanted: &Wanted<'_>,
    ) -> io::Result<(Part, LinesPlan, Option<Lines>)> {
        let (mut bytes, mut count, mut last) = (Vec::new(), 0, reached.last);
        loop {
            let page = wanted.summaries.after(last, LINES_MAX)?;
            if page.is_empty() {
                break;
            }
            for (sequence, line) in page {
                bytes.extend(line.as_bytes());
                (count, last) = (count + 1, sequence);
            }
            if bytes.len() > APPENDED_BYTES_MAX {
                return self.anew(Some(Found::Ours { reached, is_torn }), wanted);
            }
        }
        if bytes.is_empty() && !is_torn {
            let before = known.filter(|known| known.now == reached);
            let before = before.and_then(|known| known.before.clone());
            return Ok((Part::Current, LinesPlan::Nothing, Some(Lines { now: reached, before })));
        }
        let file = self.dir.read(SUMMARIES)?;
        let now = reached.with(file.as_ref(), &bytes, count, last)?;
        let plan = LinesPlan::Append { at: reached.bytes, bytes };
        Ok((Part::Written, plan, Some(Lines { now, before: Some(reached) })))
    }

    /// All lines in a file beside the one that is there.
    fn anew(
        &self,
        found: Option<Found>,
        wanted: &Wanted<'_>,
    ) -> io::Result<(Part, LinesPlan, Option<Lines>)> {
        let mut reached = Reached::nothing();
        stage(&self.dir, SUMMARIES, |file| {
            loop {
                let page = wanted.summaries.after(reached.last, LINES_MAX)?;
                let Some((last, _)) = page.last() else { return Ok(()) };
                let (last, count) = (*last, page.len() as u64);
                let bytes: Vec<u8> =
                    page.iter().flat_map(|(_, line)| line.as_bytes()).copied().collect();
                let next = reached.with(Some(file), &bytes, count, last)?;
                fuse::write(file, &bytes)?;
                reached = next;
            }
        })?;
        let before = match found {
            None => Some(Reached::nothing()),
            Some(Found::Ours { reached, .. } | Found::Between { reached }) => Some(reached),
            Some(Found::Edited) => None,
        };
        Ok((Part::Written, LinesPlan::Staged, Some(Lines { now: reached, before })))
    }
}
