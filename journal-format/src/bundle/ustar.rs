//! An entry's header: one block of 512 bytes, as POSIX (IEEE Std 1003.1, pax, "ustar Interchange
//! Format") has it, and of that only what a bundle needs.

use super::Fault;

/// A header, and what contents are padded to.
pub const BLOCK_BYTES: usize = 512;

const NAME: std::ops::Range<usize> = 0..100;
const MODE: usize = 100;
const UID: usize = 108;
const GID: usize = 116;
const SIZE: std::ops::Range<usize> = 124..136;
const TIME: usize = 136;
const CHECKSUM: std::ops::Range<usize> = 148..156;
const TYPE: usize = 156;
const MAGIC: std::ops::Range<usize> = 257..265;
const PREFIX: std::ops::Range<usize> = 345..500;

const USTAR: &[u8; 8] = b"ustar\x0000";
/// The largest number in eleven octal digits.
const SIZE_MAX: u64 = (1 << 33) - 1;

/// An entry's header, as far as a bundle goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    pub bytes: u64,
}

impl Header {
    /// The block of a regular file that its owner alone may read; `None` where the name or the size
    /// does not fit. `time_s` is in Unix seconds.
    pub fn to_block(&self, time_s: u64) -> Option<[u8; BLOCK_BYTES]> {
        let mut block = [0; BLOCK_BYTES];
        if self.name.len() >= NAME.len() || self.bytes > SIZE_MAX {
            return None;
        }
        block[..self.name.len()].copy_from_slice(self.name.as_bytes());
        let mut put = |at: usize, digits: usize, value: u64| {
            let text = format!("{value:0digits$o}");
            block[at..at + digits].copy_from_slice(text.as_bytes());
        };
        put(MODE, 7, 0o600);
        put(UID, 7, 0);
        put(GID, 7, 0);
        put(SIZE.start, 11, self.bytes);
        put(TIME, 11, time_s.min(SIZE_MAX));
        block[TYPE] = b'0';
        block[MAGIC].copy_from_slice(USTAR);
        let sum = format!("{:06o}\0 ", checksum(&block));
        block[CHECKSUM].copy_from_slice(sum.as_bytes());
        Some(block)
    }

    /// Reads a block that is not all zeros.
    pub fn parse(block: &[u8; BLOCK_BYTES]) -> Result<Self, Fault> {
        if block[MAGIC] != *USTAR {
            return Err(Fault::NotUstar);
        }
        if octal(&block[CHECKSUM]) != Some(u64::from(checksum(block))) {
            return Err(Fault::Checksum);
        }
        if block[TYPE] != b'0' {
            return Err(Fault::NotAFile);
        }
        let name = &block[NAME];
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
        let rest_is_empty = name[end..].iter().chain(&block[PREFIX]).all(|byte| *byte == 0);
        let name = String::from_utf8_lossy(&name[..end]).into_owned();
        if !rest_is_empty {
            return Err(Fault::Name { name });
        }
        let bytes = octal(&block[SIZE]).ok_or(Fault::NotUstar)?;
        Ok(Self { name, bytes })
    }

    /// What the content takes with its padding.
    pub fn padded(&self) -> u64 {
        self.bytes.next_multiple_of(BLOCK_BYTES as u64)
    }
}

/// Octal digits, ended by a space or a zero.
fn octal(field: &[u8]) -> Option<u64> {
    let end = field.iter().position(|byte| matches!(byte, 0 | b' ')).unwrap_or(field.len());
    let (digits, rest) = field.split_at(end);
    let sound = !digits.is_empty()
        && digits.len() < 20
        && digits.iter().all(|byte| (b'0'..=b'7').contains(byte))
        && rest.iter().all(|byte| matches!(byte, 0 | b' '));
    sound.then(|| digits.iter().fold(0, |value, digit| value << 3 | u64::from(digit - b'0')))
}

/// The sum of the block's bytes, its own field taken as spaces.
fn checksum(block: &[u8; BLOCK_BYTES]) -> u32 {
    let byte = |(at, byte): (usize, &u8)| match CHECKSUM.contains(&at) {
        true => u32::from(b' '),
        false => u32::from(*byte),
    };
    block.iter().enumerate().map(byte).sum()
}
