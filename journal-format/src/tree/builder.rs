//! The tree as it grows: what stands at its right edge, and the tiles that are full.

use super::tile::{TILE_HASHES, TILE_HEIGHT, TileAt, TileName};
use super::{Hash, empty, node};

/// Where tiles are found.
pub trait Tiles {
    type Error;

    /// The first `width` hashes of a tile, of which the tree has at least so many.
    fn tile(&self, at: TileAt, width: usize) -> Result<Vec<Hash>, Self::Error>;
}

/// Takes leaves one behind the other; holds the tiles that are not full yet.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    size: u64,
    /// Of each level, from the leaves up.
    open: Vec<Vec<Hash>>,
}

impl Builder {
    /// Goes on with a tree of so many leaves.
    pub fn resume<T: Tiles>(tiles: &T, size: u64) -> Result<Self, T::Error> {
        let mut open = Vec::new();
        for level in 0.. {
            let hashes = size >> (level as u32 * u32::from(TILE_HEIGHT)).min(63);
            if level > 7 || hashes == 0 {
                break;
            }
            let (number, width) = (hashes / TILE_HASHES as u64, hashes % TILE_HASHES as u64);
            let at = TileAt { level, number };
            open.push(match width {
                0 => Vec::new(),
                width => tiles.tile(at, width as usize)?,
            });
        }
        Ok(Self { size, open })
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// Takes the next leaf; every tile that is full with it is given to `full`.
    pub fn push(&mut self, leaf: Hash, full: &mut dyn FnMut(TileName, &[Hash])) {
        let (mut hash, mut number) = (leaf, self.size);
        self.size += 1;
        for level in 0.. {
            if self.open.len() == level {
                self.open.push(Vec::with_capacity(TILE_HASHES));
            }
            let Some(open) = self.open.get_mut(level) else { return };
            open.push(hash);
            if open.len() < TILE_HASHES {
                return;
            }
            let at = TileAt { level: level as u8, number: number / TILE_HASHES as u64 };
            full(TileName { at, width: None }, open);
            hash = above(open);
            open.clear();
            number /= TILE_HASHES as u64;
        }
    }

    /// The root over all leaves so far, by what stands at the right edge.
    pub fn root(&self) -> Hash {
        let mut root: Option<Hash> = None;
        for open in &self.open {
            // From the right: what is not whole yet is joined with the whole one to its left.
            let mut rest = open.as_slice();
            let mut parts = Vec::new();
            while !rest.is_empty() {
                let whole = 1 << (usize::BITS - 1 - rest.len().leading_zeros());
                parts.push(above(&rest[..whole]));
                rest = &rest[whole..];
            }
            for part in parts.iter().rev() {
                root = Some(root.map_or(*part, |right| node(part, &right)));
            }
        }
        root.unwrap_or_else(empty)
    }

    /// The tiles that are not full, as far as they go.
    pub fn partial(&self) -> impl Iterator<Item = (TileName, &[Hash])> {
        let size = self.size;
        self.open.iter().enumerate().filter(|(_, open)| !open.is_empty()).map(
            move |(level, open)| {
                let above = (size >> (level as u32 * u32::from(TILE_HEIGHT))) / TILE_HASHES as u64;
                let at = TileAt { level: level as u8, number: above };
                (TileName { at, width: u8::try_from(open.len()).ok() }, open.as_slice())
            },
        )
    }
}

/// The root over a power of two of hashes.
pub(super) fn above(hashes: &[Hash]) -> Hash {
    let mut row = hashes.to_vec();
    while row.len() > 1 {
        row = row.chunks_exact(2).map(|pair| node(&pair[0], &pair[1])).collect();
    }
    row.first().copied().unwrap_or_default()
}
