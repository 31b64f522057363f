//! Held to crc32fast.

use super::extend;

#[test]
fn every_length_sums_as_crc32fast_does() {
    let bytes: Vec<u8> = (0..200_u32).map(|at| (at * 151 + 7) as u8).collect();
    for start in 0..9 {
        for end in start..bytes.len() {
            let whole = crc32fast::hash(&bytes[..end]);
            let before = crc32fast::hash(&bytes[..start]);
            assert_eq!(extend(before, &bytes[start..end]), whole, "{start}..{end}");
        }
    }
}
