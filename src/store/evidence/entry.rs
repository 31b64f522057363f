//! A folder of stores in the cache, or of nobody else's.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::journal::private::{own_file, own_folder};
use crate::store::dir::if_there;
use crate::store::feed::bytes_in;

/// Locked shared by whoever reads the stores, written to at each use: its time says when the last
/// was.
const HELD: &str = "held";

#[derive(Debug)]
pub(crate) struct Entry {
    root: PathBuf,
    held: File,
    /// It goes when this does.
    private: bool,
}

impl Entry {
    /// Makes a folder that nobody else knows of; it goes with this value until it is kept.
    pub fn make(root: &Path) -> io::Result<Self> {
        fs::DirBuilder::new().mode(0o700).create(root)?;
        let made = (|| {
            fs::DirBuilder::new().mode(0o700).create(root.join(crate::journal::FOLDER))?;
            let held = open(&root.join(HELD), true)?;
            held.try_lock_shared().map_err(io::Error::from)?;
            Ok(held)
        })();
        match made {
            Ok(held) => Ok(Self { root: root.to_owned(), held, private: true }),
            Err(error) => {
                // The error that stopped it is the one to tell.
                drop(fs::remove_dir_all(root));
                Err(error)
            }
        }
    }

    /// Holds a folder that is there, so that nobody clears it away. Fails where anybody else could
    /// have written what is in it.
    pub fn hold(root: &Path) -> io::Result<Self> {
        own_throughout(root)?;
        let path = root.join(HELD);
        let mut held = open(&path, false)?;
        held.try_lock_shared().map_err(io::Error::from)?;
        if held.metadata()?.ino() != fs::metadata(&path)?.ino() {
            return Err(io::ErrorKind::NotFound.into());
        }
        held.write_all(b"+")?;
        held.set_len(0)?;
        Ok(Self { root: root.to_owned(), held, private: false })
    }

    /// Takes a folder away that nobody else holds; it goes with this value until it is kept.
    pub fn take(root: &Path, aside: &Path) -> io::Result<Self> {
        own_throughout(root)?;
        let held = open(&root.join(HELD), false)?;
        held.try_lock().map_err(io::Error::from)?;
        fs::rename(root, aside)?;
        let taken = Self { root: aside.to_owned(), held, private: true };
        // Nobody knows of it by this name.
        taken.held.unlock()?;
        taken.held.try_lock_shared().map_err(io::Error::from)?;
        Ok(taken)
    }

    /// Where its stores lie, as a project's do below its root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Puts it where others find it. Fails where there is one already: this one is then as before.
    pub fn publish(&mut self, root: &Path) -> io::Result<()> {
        fs::rename(&self.root, root)?;
        root.clone_into(&mut self.root);
        self.private = false;
        Ok(())
    }

    /// Takes it away, unless somebody else reads it or makes stores in it. Whether it goes.
    pub fn remove(mut self) -> bool {
        self.private |= self.held.try_lock().is_ok();
        self.private
    }

    /// Clears the way where stores lie that are not to be used: under another name first, since
    /// what is somebody else's can be moved and perhaps not removed.
    pub fn discard(root: &Path, aside: &Path) -> io::Result<()> {
        fs::rename(root, aside)?;
        fs::remove_dir_all(aside).or_else(|_| fs::remove_file(aside))
    }

    /// Clears a folder away that nobody holds; `false` where somebody does.
    pub fn clear(root: &Path) -> io::Result<bool> {
        let held = open(&root.join(HELD), false)?;
        match held.try_lock() {
            Ok(()) => fs::remove_dir_all(root).map(|()| true),
            Err(_) => Ok(false), // held, or not to be locked: let it be
        }
    }

    /// When it was used last, and how large it is.
    pub fn about(root: &Path) -> io::Result<(i64, u64)> {
        Ok((fs::metadata(root.join(HELD))?.mtime(), bytes_in(root)?))
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if self.private {
            // What stays is found and cleared away by a later run.
            drop(fs::remove_dir_all(&self.root));
        }
        // By name, not by close: a child may hold the descriptor.
        drop(self.held.unlock());
    }
}

fn open(path: &Path, create: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(create).mode(0o600);
    options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed()).open(path)
}

/// Fails unless that holds of a folder and of every folder below, and all else in them are regular
/// files that are the user's alone: also what SQLite reads beside a store.
pub(super) fn own_throughout(root: &Path) -> io::Result<()> {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        own_folder(&folder)?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            match if_there(fs::symlink_metadata(&path))? {
                Some(about) if about.is_dir() => folders.push(path),
                Some(_) => drop(if_there(own_file(&path))?),
                // Another reader put its `-wal` away.
                None => {}
            }
        }
    }
    Ok(())
}
