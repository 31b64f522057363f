//! Tiles: 256 hashes of one height side by side, each a file, named as C2SP's tlog-tiles has it.

use std::fmt;

/// Hashes of a full tile.
pub const TILE_HASHES: usize = 256;
/// Levels of the tree that one level of tiles goes up: 2 to the power of this is [`TILE_HASHES`].
pub(super) const TILE_HEIGHT: u8 = 8;

/// Which tile: its level, and its number in that level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TileAt {
    pub level: u8,
    pub number: u64,
}

/// A tile's path below `tile/`: full, or of so many hashes.
///
/// The number is told in groups of three digits, all but the last behind an `x`: `0/x001/x234/067`,
/// `0/x001/x234/067.p/3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileName {
    pub at: TileAt,
    /// 1 to 255 of a partial one.
    pub width: Option<u8>,
}

impl fmt::Display for TileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileAt { level, number } = self.at;
        write!(f, "{level}/")?;
        let (mut groups, mut rest) = (Vec::new(), number);
        loop {
            groups.push(rest % 1000);
            rest /= 1000;
            if rest == 0 {
                break;
            }
        }
        for group in groups.iter().skip(1).rev() {
            write!(f, "x{group:03}/")?;
        }
        write!(f, "{:03}", groups.first().unwrap_or(&0))?;
        match self.width {
            Some(width) => write!(f, ".p/{width}"),
            None => Ok(()),
        }
    }
}
