//! What a transaction writes, and how it ends.

use std::fs::File;
use std::io::{self, Read};

use super::state::{RECENT_MAX, Tail};
use super::undo::{self, Before, KEPT, Undo};
use super::{FilePlace, Open};
use crate::store::dir::Dir;
use crate::store::{Cursor, fuse};

pub(super) const PENDING_BYTES_MAX: usize = 4 << 20;

#[derive(Debug, Default)]
pub(super) struct Write {
    /// In the place of what it holds, not behind it.
    pub whole: bool,
    pub gone: bool,
    pub bytes: Vec<u8>,
}

impl Open {
    pub fn flush_above(&mut self, bytes_max: usize, is_new: bool) -> io::Result<()> {
        match self.pending_bytes > bytes_max {
            true => self.flush(is_new),
            false => Ok(()),
        }
    }

    /// Writes what is held: also that a file is there with nothing in it.
    fn flush(&mut self, is_new: bool) -> io::Result<()> {
        self.pending_bytes = 0;
        for (place, write) in std::mem::take(&mut self.pending) {
            self.put(&place, &write, is_new)?;
        }
        Ok(())
    }

    fn put(&mut self, place: &FilePlace, write: &Write, is_new: bool) -> io::Result<()> {
        let folder = made(&self.dir, place)?;
        if !is_new && !self.undo.as_ref().is_some_and(|undo| undo.has(place)) {
            self.note(&folder, place, write.whole)?;
        }
        self.touched.retain(|touched| touched != place);
        if write.gone {
            folder.remove(&place.name)?;
            self.state.forget(place);
            return Ok(());
        }
        let mut file = match folder.append(&place.name)? {
            Some(file) => file,
            None => folder.create(&place.name)?,
        };
        if write.whole {
            fuse::step()?;
            file.set_len(0)?;
        }
        fuse::write(&mut file, &write.bytes)?;
        self.touched.push(place.clone());
        // One more than is remembered.
        let over = self.touched.len().saturating_sub(RECENT_MAX + 1);
        self.touched.drain(..over);
        Ok(())
    }

    /// Notes how a file is before it is touched, and fails where it is not as it was left.
    fn note(&mut self, folder: &Dir, place: &FilePlace, whole: bool) -> io::Result<()> {
        let file = folder.append(&place.name)?;
        self.must_be_as_left(place, file.as_ref())?;
        let undo = match &mut self.undo {
            Some(undo) => undo,
            none => none.insert(Undo::begin(&self.dir, &self.state)?),
        };
        match file {
            None => undo.note(place, Before::Absent),
            Some(file) if !whole => undo.note(place, Before::Bytes(file.metadata()?.len())),
            Some(_) => {
                let kept = format!("{KEPT}{}", undo.len());
                undo.note(place, Before::Kept(kept.clone()))?;
                folder.rename(&place.name, &self.dir, &kept)
            }
        }
    }

    /// What a file holds now; `None` where it is not there. Fails where it is not as it was left.
    pub fn held(&self, place: &FilePlace, bytes_max: u64) -> io::Result<Option<Vec<u8>>> {
        let pending = self.pending.get(place);
        match pending {
            Some(write) if write.gone => return Ok(None),
            Some(write) if write.whole => return Ok(Some(write.bytes.clone())),
            _ => {}
        }
        let file = place.file_in(&self.dir)?;
        if !self.undo.as_ref().is_some_and(|undo| undo.has(place)) {
            self.must_be_as_left(place, file.as_ref())?;
        }
        if file.is_none() && pending.is_none() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        if let Some(file) = file {
            file.take(bytes_max).read_to_end(&mut bytes)?;
        }
        bytes.extend(pending.map(|write| write.bytes.as_slice()).unwrap_or_default());
        Ok(Some(bytes))
    }

    fn must_be_as_left(&self, place: &FilePlace, file: Option<&File>) -> io::Result<()> {
        self.state.tail(place).map_or(Ok(()), |left| left.must_be_of(place, file))
    }

    /// Ends the transaction: files, then the cursor that vouches for them, then what would undo it.
    pub fn end(&mut self, cursor: Cursor, is_new: bool) -> io::Result<()> {
        self.flush(is_new)?;
        self.sync(is_new)?;
        for place in std::mem::take(&mut self.touched) {
            if let Some(file) = place.file_in(&self.dir)? {
                self.state.touch(&place, Tail::of(&file)?);
            }
        }
        self.state.cursor = Some(cursor);
        self.state.write(&self.dir)?;
        match self.undo {
            Some(_) => undo::forget(&self.dir),
            None => Ok(()),
        }
    }

    /// Makes files durable only where more would not be than are remembered: the journal is what is
    /// durable, and of those that are remembered a loss is noticed. A new folder is made durable.
    fn sync(&mut self, is_new: bool) -> io::Result<()> {
        let touched = self.undo.as_ref().map_or(0, Undo::len);
        self.state.unsynced = self.state.unsynced.saturating_add(touched);
        if self.state.unsynced > RECENT_MAX || (is_new && self.touched.len() > RECENT_MAX) {
            self.state.unsynced = 0;
            return self.dir.sync_all();
        }
        if !is_new {
            return Ok(());
        }
        for place in &self.touched {
            if let Some(file) = place.file_in(&self.dir)? {
                file.sync_data()?;
            }
        }
        self.dir.sync()
    }
}

fn made(dir: &Dir, place: &FilePlace) -> io::Result<Dir> {
    let mut at = dir.make_child(".")?;
    for name in &place.folders {
        at = at.make_child(name)?;
    }
    Ok(at)
}
