//! Everything a simulated disk and its cache hold.

use std::collections::BTreeMap;
use std::path::Path;

use super::inode::Inode;
use super::names::Names;
use super::pages::Pages;
use super::{Crash, Random};

/// Files and names. A clone shares the pages.
#[derive(Clone, Debug, Default)]
pub(super) struct Media {
    inodes: BTreeMap<u64, Inode>,
    pub(super) names: Names,
    made: u64,
}

impl Media {
    pub(super) fn create(&mut self, path: &Path) -> u64 {
        self.made += 1;
        self.inodes.insert(self.made, Inode::default());
        self.names.create(path, self.made);
        self.made
    }

    pub(super) fn inode(&self, inode: u64) -> Option<&Inode> {
        self.inodes.get(&inode)
    }

    pub(super) fn inode_mut(&mut self, inode: u64) -> Option<&mut Inode> {
        self.inodes.get_mut(&inode)
    }

    pub(super) fn inodes_mut(&mut self) -> impl Iterator<Item = &mut Inode> {
        self.inodes.values_mut()
    }

    pub(super) fn at(&self, path: &Path) -> Option<&Inode> {
        self.inodes.get(&self.names.inode(path)?)
    }

    /// Bytes of all files that still have a name.
    pub(super) fn bytes_used(&self) -> u64 {
        self.names.files().filter_map(|(_, inode)| self.inode(inode)).map(Inode::len).sum()
    }

    /// Puts a file on the disk, synced, name and all.
    pub(super) fn put(&mut self, path: &Path, bytes: &[u8]) {
        let mut content = Pages::default();
        content.write(bytes, 0);
        if let Some(folder) = path.parent() {
            self.names.create_folder(folder);
        }
        let inode = self.names.inode(path).unwrap_or_else(|| self.create(path));
        self.inodes.insert(inode, Inode::on_disk(content));
        path.ancestors().skip(1).for_each(|folder| self.names.sync(folder));
    }

    pub(super) fn after_crash(&self, crash: Crash) -> Self {
        let mut random = Random::new(crash.seed);
        let names = self.names.after_crash(crash.names, &mut random);
        let inodes = names.files().filter_map(|(_, inode)| {
            let left = self.inodes.get(&inode)?.after_crash(crash.tail, &mut random);
            Some((inode, Inode::on_disk(left)))
        });
        Self { inodes: inodes.collect(), names: names.clone(), made: self.made }
    }
}
