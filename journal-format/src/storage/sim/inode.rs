//! One file of the simulated disk: what the cache holds, what the disk holds.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::pages::Pages;
use super::{Random, Tail};
use crate::limits::SECTOR_BYTES;

/// One file.
#[derive(Clone, Debug, Default)]
pub(super) struct Inode {
    /// What reads see.
    cached: Pages,
    /// What the disk holds.
    durable: Pages,
    /// Sectors that the next sync writes. A sector that differs and is not here was marked clean
    /// by a failed sync: no later sync writes it.
    dirty: BTreeSet<u64>,
    /// Writes since the last sync, in order.
    writes: Vec<(u64, Arc<[u8]>)>,
    /// Write-back errors so far, as `errseq_t` counts them.
    errors: u64,
    /// How many of them some descriptor was told.
    errors_told: u64,
}

impl Inode {
    /// A file that lies on disk as it is.
    pub(super) fn on_disk(content: Pages) -> Self {
        Self { cached: content.clone(), durable: content, ..Self::default() }
    }

    pub(super) fn len(&self) -> u64 {
        self.cached.len()
    }

    pub(super) fn cached(&self) -> &Pages {
        &self.cached
    }

    pub(super) fn durable(&self) -> &Pages {
        &self.durable
    }

    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> usize {
        self.cached.read(buffer, offset)
    }

    pub(super) fn write(&mut self, bytes: &[u8], offset: u64) {
        if bytes.is_empty() {
            return;
        }
        self.cached.write(bytes, offset);
        self.dirty.extend(sectors(offset, bytes.len() as u64));
        self.writes.push((offset, bytes.into()));
    }

    /// The errors a descriptor opened now will not be told: all, unless nobody was told yet.
    pub(super) fn errors_at_open(&self) -> u64 {
        self.errors_told
    }

    /// Writes what is dirty. `Err` where an error happened that this descriptor was not told
    /// (`errors_seen` behind): it is told once, though what is dirty now was written.
    pub(super) fn sync(&mut self, errors_seen: &mut u64) -> Result<(), ()> {
        self.durable.set_len(self.cached.len());
        for sector in std::mem::take(&mut self.dirty) {
            self.durable.take_sector(&self.cached, sector, SECTOR_BYTES);
        }
        self.writes.clear();
        self.report(errors_seen)
    }

    fn report(&mut self, errors_seen: &mut u64) -> Result<(), ()> {
        if *errors_seen == self.errors {
            return Ok(());
        }
        *errors_seen = self.errors;
        self.errors_told = self.errors;
        Err(())
    }

    /// Write-back fails: some sectors reach the disk, all are marked clean, and every descriptor
    /// open now learns of it at its next sync.
    pub(super) fn fail_write_back(&mut self, random: &mut Random) {
        let keep = random.below(3);
        for sector in std::mem::take(&mut self.dirty) {
            let reached = keep == 1 && random.coin();
            if reached {
                self.durable.take_sector(&self.cached, sector, SECTOR_BYTES);
            }
        }
        self.writes.clear();
        self.errors += 1;
    }

    /// A sync that fails: as [`Self::fail_write_back`], and this descriptor is told.
    pub(super) fn fail_sync(&mut self, random: &mut Random, errors_seen: &mut u64) {
        self.fail_write_back(random);
        *errors_seen = self.errors;
        self.errors_told = self.errors;
    }

    /// Memory is short: clean pages leave the cache and are read from the disk again.
    pub(super) fn drop_cache(&mut self) {
        let mut content = self.durable.clone();
        content.set_len(self.cached.len());
        for sector in &self.dirty {
            content.take_sector(&self.cached, *sector, SECTOR_BYTES);
        }
        self.cached = content;
    }

    /// What the disk holds after power loss.
    pub(super) fn after_crash(&self, tail: Tail, random: &mut Random) -> Pages {
        let mut left = self.durable.clone();
        match tail {
            Tail::Nothing => {}
            Tail::All => {
                left.set_len(left.len().max(self.cached.len()));
                for sector in &self.dirty {
                    left.take_sector(&self.cached, *sector, SECTOR_BYTES);
                }
            }
            Tail::Zeros => left.set_len(left.len().max(self.cached.len())),
            Tail::PrefixBytes => self.leave_prefix(&mut left, 8, random),
            Tail::PrefixSectors => self.leave_prefix(&mut left, SECTOR_BYTES, random),
            Tail::Subset => {
                for sector in &self.dirty {
                    if random.coin() {
                        left.take_sector(&self.cached, *sector, SECTOR_BYTES);
                    }
                }
                if random.coin() {
                    left.set_len(left.len().max(self.cached.len()));
                }
            }
            Tail::Stale => self.leave_stale(&mut left, random),
        }
        left
    }

    fn leave_prefix(&self, left: &mut Pages, unit: u64, random: &mut Random) {
        let total: u64 = self.writes.iter().map(|(_, bytes)| bytes.len() as u64).sum();
        // The last write is where a tear tells most: half of the cuts fall there.
        let last = self.writes.last().map_or(0, |(_, bytes)| bytes.len() as u64);
        let mut keep = if random.coin() {
            random.below(total + 1)
        } else {
            total - last + random.below(last + 1)
        };
        for (offset, bytes) in &self.writes {
            let whole = bytes.len() as u64 <= keep;
            let end = offset + if whole { bytes.len() as u64 } else { keep };
            let end = if whole { end } else { end / unit * unit };
            let count = end.saturating_sub(*offset) as usize;
            if count > 0 {
                left.write(&bytes[..count], *offset);
            }
            if !whole {
                return;
            }
            keep -= bytes.len() as u64;
        }
    }

    fn leave_stale(&self, left: &mut Pages, random: &mut Random) {
        let had_bytes = left.len();
        left.set_len(had_bytes.max(self.cached.len()));
        let own_sectors = self.cached.len().div_ceil(SECTOR_BYTES);
        for sector in &self.dirty {
            let new_to_file = sector * SECTOR_BYTES >= had_bytes;
            match random.below(if new_to_file { 4 } else { 2 }) {
                0 => {}
                1 => left.take_sector(&self.cached, *sector, SECTOR_BYTES),
                choice => {
                    let mut stale = vec![0; SECTOR_BYTES as usize];
                    if choice == 2 {
                        random.fill(&mut stale);
                    } else {
                        // A block this file's content lay in before it was moved.
                        let from = random.below(own_sectors);
                        self.cached.read(&mut stale, from * SECTOR_BYTES);
                    }
                    let room = left.len() - sector * SECTOR_BYTES;
                    stale.truncate(room as usize);
                    left.write(&stale, sector * SECTOR_BYTES);
                }
            }
        }
    }
}

fn sectors(offset: u64, bytes: u64) -> Range<u64> {
    offset / SECTOR_BYTES..(offset + bytes).div_ceil(SECTOR_BYTES)
}
