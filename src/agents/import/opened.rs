//! A transcript opened for reading, unpacked on the way where it is compressed.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use zstd::stream::read::Decoder;

use super::limits::{UNPACKED_BYTES_MAX, WINDOW_LOG_MAX};

const BUFFER_BYTES: usize = 256 << 10;
/// With which every compressed file begins.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A transcript opened for reading. Compressed data that break off, or are none from some point
/// on, are read up to there, and [`Opened::is_broken`] says so.
pub struct Opened {
    text: Box<dyn BufRead>,
    packed: Option<Rc<Packed>>,
}

/// What the two ends of unpacking tell each other.
#[derive(Debug, Default)]
struct Packed {
    /// Bytes taken from the file.
    taken: Cell<u64>,
    /// The file could not be read: that is no flaw of what it holds.
    failed: Cell<bool>,
    /// They break off, are damaged, or hold more than is read of them.
    broken: Cell<bool>,
}

impl Opened {
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(BUFFER_BYTES, File::open(path)?);
        if !file.fill_buf()?.starts_with(&MAGIC) {
            return Ok(Self { text: Box::new(file), packed: None });
        }
        let packed = Rc::new(Packed::default());
        let counted = Counted { file, packed: Rc::clone(&packed) };
        let mut decoder = Decoder::with_buffer(BufReader::new(counted))?;
        decoder.window_log_max(WINDOW_LOG_MAX)?;
        let unpacked = Unpacked { decoder, packed: Rc::clone(&packed), left: UNPACKED_BYTES_MAX };
        let text = Box::new(BufReader::with_capacity(BUFFER_BYTES, unpacked));
        Ok(Self { text, packed: Some(packed) })
    }

    pub fn is_packed(&self) -> bool {
        self.packed.is_some()
    }

    /// Bytes of the file read so far, where that is not the text's own count.
    pub fn taken(&self) -> Option<u64> {
        self.packed.as_ref().map(|packed| packed.taken.get())
    }

    /// Whether the text ended before it should.
    pub fn is_broken(&self) -> bool {
        self.packed.as_ref().is_some_and(|packed| packed.broken.get())
    }
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

impl BufRead for Opened {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.text.consume(amount);
    }
}

/// The file below the unpacking.
struct Counted {
    file: BufReader<File>,
    packed: Rc<Packed>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer);
        match &read {
            Ok(bytes) => self.packed.taken.set(self.packed.taken.get() + *bytes as u64),
            Err(_) => self.packed.failed.set(true),
        }
        read
    }
}

/// The text above the unpacking.
struct Unpacked {
    decoder: Decoder<'static, BufReader<Counted>>,
    packed: Rc<Packed>,
    left: u64,
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.packed.broken.get() {
            return Ok(0);
        }
        match self.decoder.read(buffer) {
            Ok(bytes) if bytes as u64 <= self.left => {
                self.left -= bytes as u64;
                return Ok(bytes);
            }
            Err(error) if self.packed.failed.get() => return Err(error),
            Ok(_) | Err(_) => self.packed.broken.set(true),
        }
        Ok(0)
    }
}
