//! A file's bytes in shared pages: a snapshot copies pointers, not bytes.

use std::sync::Arc;

const PAGE_BYTES: usize = 4096;

/// A file's bytes. What lies beyond the length in the last page is always zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    pages: Vec<Arc<[u8; PAGE_BYTES]>>,
    len: u64,
}

impl Pages {
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Copies what there is at `offset`; returns how much.
    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> usize {
        let wanted = self.len.saturating_sub(offset).min(buffer.len() as u64) as usize;
        let mut done = 0;
        while done < wanted {
            let (page, inside) = place(offset + done as u64);
            let count = (PAGE_BYTES - inside).min(wanted - done);
            buffer[done..done + count].copy_from_slice(&self.pages[page][inside..inside + count]);
            done += count;
        }
        wanted
    }

    /// Writes, growing the file with zeros where it is too short.
    pub(super) fn write(&mut self, bytes: &[u8], offset: u64) {
        self.set_len(self.len.max(offset + bytes.len() as u64));
        let mut done = 0;
        while done < bytes.len() {
            let (page, inside) = place(offset + done as u64);
            let count = (PAGE_BYTES - inside).min(bytes.len() - done);
            let target = Arc::make_mut(&mut self.pages[page]);
            target[inside..inside + count].copy_from_slice(&bytes[done..done + count]);
            done += count;
        }
    }

    pub(super) fn set_len(&mut self, len: u64) {
        let pages = (len as usize).div_ceil(PAGE_BYTES);
        if pages > self.pages.len() {
            self.pages.resize_with(pages, || Arc::new([0; PAGE_BYTES]));
        } else {
            self.pages.truncate(pages);
        }
        let (last, inside) = place(len);
        if len < self.len
            && let Some(page) = self.pages.get_mut(last)
        {
            Arc::make_mut(page)[inside..].fill(0);
        }
        self.len = len;
    }

    /// Takes over one sector from another state of the file, as far as that is long.
    pub(super) fn take_sector(&mut self, from: &Self, sector: u64, sector_bytes: u64) {
        let mut buffer = vec![0; sector_bytes as usize];
        let count = from.read(&mut buffer, sector * sector_bytes);
        if count > 0 {
            self.write(&buffer[..count], sector * sector_bytes);
        }
    }

    pub(super) fn to_vec(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len as usize];
        self.read(&mut bytes, 0);
        bytes
    }
}

fn place(offset: u64) -> (usize, usize) {
    (offset as usize / PAGE_BYTES, offset as usize % PAGE_BYTES)
}
