//! Roots, and proofs that stand by themselves (RFC 6962 §2.1, RFC 9162 §2.1.3 and §2.1.4).

use super::builder::{Tiles, above};
use super::tile::{TILE_HASHES, TILE_HEIGHT, TileAt};
use super::{Hash, empty, node};

/// What was asked of a tree that it has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofError {
    pub asked: u64,
    pub size: u64,
}

/// The root over the first `size` leaves.
pub fn root<T: Tiles>(tiles: &T, size: u64) -> Result<Hash, T::Error> {
    match size {
        0 => Ok(empty()),
        size => over(tiles, 0, size),
    }
}

/// The hashes beside the way from a leaf to the root over `size` leaves, the lowest first.
pub fn inclusion<T: Tiles>(tiles: &T, leaf: u64, size: u64) -> Result<Vec<Hash>, T::Error> {
    let (mut low, mut high, mut path) = (0, size, Vec::new());
    while high - low > 1 {
        let middle = low + split(high - low);
        if leaf < middle {
            path.push(over(tiles, middle, high)?);
            high = middle;
        } else {
            path.push(over(tiles, low, middle)?);
            low = middle;
        }
    }
    path.reverse();
    Ok(path)
}

/// The hashes by which the root over the first `first` leaves and that over `size` are both made.
pub fn consistency<T: Tiles>(tiles: &T, first: u64, size: u64) -> Result<Vec<Hash>, T::Error> {
    if first == 0 || first == size {
        return Ok(Vec::new());
    }
    let (mut low, mut high, mut path, mut is_known) = (0, size, Vec::new(), true);
    while first != high {
        let middle = low + split(high - low);
        if first <= middle {
            path.push(over(tiles, middle, high)?);
            high = middle;
        } else {
            path.push(over(tiles, low, middle)?);
            (low, is_known) = (middle, false);
        }
    }
    if !is_known {
        path.push(over(tiles, low, high)?);
    }
    path.reverse();
    Ok(path)
}

/// Whether a leaf is in the tree of this root, by its path.
pub fn inclusion_holds(leaf: &Hash, index: u64, size: u64, path: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut at, mut last, mut hash) = (index, size - 1, *leaf);
    for beside in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            hash = node(beside, &hash);
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            hash = node(&hash, beside);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    last == 0 && hash == *root
}

/// Whether the tree of `first_root` is the beginning of the one of `root`.
pub fn consistency_holds(
    (first, first_root): (u64, &Hash),
    (size, root): (u64, &Hash),
    path: &[Hash],
) -> bool {
    if first > size || first == 0 || first == size {
        let is_empty = first == 0 && *first_root == empty();
        return path.is_empty() && (is_empty || first == size && first_root == root);
    }
    let (mut at, mut last) = (first - 1, size - 1);
    let shift = at.trailing_ones();
    (at, last) = (at >> shift, last >> shift);
    let mut path = path.iter();
    // A whole tree of a power of two is its own beginning.
    let begin = match first.is_power_of_two() {
        true => Some(first_root),
        false => path.next(),
    };
    let Some(begin) = begin else { return false };
    let (mut old, mut new) = (*begin, *begin);
    for beside in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            (old, new) = (node(beside, &old), node(beside, &new));
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            new = node(&new, beside);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    last == 0 && old == *first_root && new == *root
}

/// The largest power of two below a number above one.
fn split(count: u64) -> u64 {
    1 << (63 - (count - 1).leading_zeros())
}

/// The root over the leaves from `low` to `high`, as a part of the whole tree.
fn over<T: Tiles>(tiles: &T, low: u64, high: u64) -> Result<Hash, T::Error> {
    let count = high - low;
    if count.is_power_of_two() {
        return subtree(tiles, low, count.trailing_zeros());
    }
    let middle = low + split(count);
    Ok(node(&over(tiles, low, middle)?, &over(tiles, middle, high)?))
}

/// The root over 2^height leaves from `low` on, all of them there.
fn subtree<T: Tiles>(tiles: &T, low: u64, height: u32) -> Result<Hash, T::Error> {
    let (level, rest) = (height / u32::from(TILE_HEIGHT), height % u32::from(TILE_HEIGHT));
    let first = low >> (level * u32::from(TILE_HEIGHT));
    let (number, begin) = (first / TILE_HASHES as u64, (first % TILE_HASHES as u64) as usize);
    let end = begin + (1 << rest);
    let hashes = tiles.tile(TileAt { level: level as u8, number }, end)?;
    Ok(above(hashes.get(begin..end).unwrap_or_default()))
}
