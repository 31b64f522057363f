//! CRC-32 (IEEE) of a few bytes, eight at a time.
//!
//! crc32fast takes what is below 64 bytes one by one, which costs more for a header than its
//! vector code does for the frame: a third of a verification went there (measured).

#[cfg(test)]
mod tests;

const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut slice = 1;
    while slice < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[slice - 1][byte];
            tables[slice][byte] = (before >> 8) ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        slice += 1;
    }
    tables
}

/// The sum of what `sum` covers followed by `bytes`.
pub(super) fn extend(sum: u32, bytes: &[u8]) -> u32 {
    let (blocks, rest) = bytes.as_chunks::<8>();
    let mut crc = !sum;
    for block in blocks {
        let low = (u64::from_le_bytes(*block) ^ u64::from(crc)).to_le_bytes();
        crc = 0;
        for (byte, table) in low.iter().zip(TABLES.iter().rev()) {
            crc ^= table[usize::from(*byte)];
        }
    }
    let (word, rest) = match rest.split_first_chunk::<4>() {
        Some((word, rest)) => (Some(word), rest),
        None => (None, rest),
    };
    if let Some(word) = word {
        let low = (u32::from_le_bytes(*word) ^ crc).to_le_bytes();
        crc = 0;
        for (byte, table) in low.iter().zip(TABLES[..4].iter().rev()) {
            crc ^= table[usize::from(*byte)];
        }
    }
    for byte in rest {
        crc = (crc >> 8) ^ TABLES[0][((crc ^ u32::from(*byte)) & 0xFF) as usize];
    }
    !crc
}
