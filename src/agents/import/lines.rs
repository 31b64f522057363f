//! Lines of a file, one at a time, in one buffer; a line above the limit is skipped unheld.

use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use zstd::stream::read::Decoder;

use super::growth;
use super::limits::{LINE_BYTES_MAX, UNPACKED_BYTES_MAX, WINDOW_LOG_MAX};

pub struct Lines<R> {
    pub reader: R,
    buffer: Vec<u8>,
    /// Lines read so far.
    pub number: u64,
    /// Bytes taken from the reader so far.
    pub offset: u64,
}

/// One line, without its newline.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// From 1.
    pub number: u64,
    pub offset: u64,
    /// `None` where it was longer than [`LINE_BYTES_MAX`].
    pub bytes: Option<&'a [u8]>,
    /// Its length without the newline.
    pub len: u64,
    /// Whether a newline ends it; the last line of a torn file has none.
    pub ended: bool,
}

impl<R> Lines<R> {
    pub fn new(reader: R) -> Self {
        Self { reader, buffer: Vec::new(), number: 0, offset: 0 }
    }
}

impl<R: BufRead> Lines<R> {
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let offset = self.offset;
        let mut bounded = self.reader.by_ref().take(LINE_BYTES_MAX as u64 + 1);
        let mut taken = bounded.read_until(b'\n', &mut self.buffer)? as u64;
        if taken == 0 {
            return Ok(None);
        }
        let mut ended = self.buffer.last() == Some(&b'\n');
        let held = ended || taken <= LINE_BYTES_MAX as u64;
        if !held {
            self.buffer = Vec::new();
            let (rest, newline) = skip_line(&mut self.reader)?;
            taken += rest;
            ended = newline;
        }
        self.offset += taken;
        self.number += 1;
        let len = taken - u64::from(ended);
        let bytes = if held { self.buffer.get(..len as usize) } else { None };
        Ok(Some(Line { number: self.number, offset, bytes, len, ended }))
    }
}

/// Bytes up to and with the next newline, and whether there was one. `skip_until` tells only the
/// number, which at the end of the file is not enough.
fn skip_line(reader: &mut impl BufRead) -> io::Result<(u64, bool)> {
    const STEP_BYTES: u64 = 64 << 10;
    let (mut skipped, mut step) = (0, Vec::new());
    loop {
        step.clear();
        let taken = reader.by_ref().take(STEP_BYTES).read_until(b'\n', &mut step)? as u64;
        skipped += taken;
        if taken == 0 || step.last() == Some(&b'\n') {
            return Ok((skipped, taken != 0));
        }
    }
}

const BUFFER_BYTES: usize = 256 << 10;
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A transcript opened for reading. Compressed data that break off, or are none from some point
/// on, are read up to there, and [`Opened::is_broken`] says so.
pub enum Opened {
    Plain(BufReader<File>),
    Packed(Box<BufReader<Unpacked>>),
}

impl Opened {
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(BUFFER_BYTES, growth::open(path)?);
        if !file.fill_buf()?.starts_with(&MAGIC) {
            return Ok(Self::Plain(file));
        }
        let counted = Counted { file, taken: 0, failed: false };
        let mut decoder = Decoder::with_buffer(BufReader::new(counted))?;
        decoder.window_log_max(WINDOW_LOG_MAX)?;
        let unpacked = Unpacked { decoder, left: UNPACKED_BYTES_MAX, broken: false };
        Ok(Self::Packed(Box::new(BufReader::with_capacity(BUFFER_BYTES, unpacked))))
    }

    /// Goes to a byte of the file; `false` where its text is another than its bytes.
    pub fn skip_to(&mut self, offset: u64) -> io::Result<bool> {
        let Self::Plain(file) = self else { return Ok(false) };
        file.seek(SeekFrom::Start(offset))?;
        Ok(true)
    }

    pub fn is_packed(&self) -> bool {
        matches!(self, Self::Packed(_))
    }

    /// Bytes of the file read so far, where that is not the text's own count.
    pub fn taken(&self) -> Option<u64> {
        match self {
            Self::Plain(_) => None,
            Self::Packed(text) => Some(text.get_ref().decoder.get_ref().get_ref().taken),
        }
    }

    /// Whether the text ended before it should.
    pub fn is_broken(&self) -> bool {
        matches!(self, Self::Packed(text) if text.get_ref().broken)
    }

    fn text(&mut self) -> &mut dyn BufRead {
        match self {
            Self::Plain(text) => text,
            Self::Packed(text) => text,
        }
    }
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text().read(buffer)
    }
}

impl BufRead for Opened {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text().fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.text().consume(amount);
    }
}

struct Counted {
    file: BufReader<File>,
    taken: u64,
    /// The file could not be read: that is no flaw of what it holds.
    failed: bool,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer);
        match &read {
            Ok(bytes) => self.taken += *bytes as u64,
            Err(_) => self.failed = true,
        }
        read
    }
}

pub struct Unpacked {
    decoder: Decoder<'static, BufReader<Counted>>,
    left: u64,
    /// The data break off, are damaged, or hold more than is read of them.
    broken: bool,
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.broken {
            return Ok(0);
        }
        match self.decoder.read(buffer) {
            Ok(bytes) if bytes as u64 <= self.left => {
                self.left -= bytes as u64;
                return Ok(bytes);
            }
            Err(error) if self.decoder.get_ref().get_ref().failed => return Err(error),
            Ok(_) | Err(_) => self.broken = true,
        }
        Ok(0)
    }
}
