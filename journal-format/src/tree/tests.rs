//! The tree against its definition, written down once more, slowly.

use std::collections::BTreeMap;
use std::convert::Infallible;

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::*;

/// RFC 6962 §2.1, word for word.
fn slow(leaves: &[Hash]) -> Hash {
    match leaves.len() {
        0 => Sha256::digest([]).into(),
        1 => leaves[0],
        count => {
            let left = count.next_power_of_two() / 2;
            node(&slow(&leaves[..left]), &slow(&leaves[left..]))
        }
    }
}

fn leaf(number: u64) -> Hash {
    Sha256::digest([[0].as_slice(), &number.to_le_bytes()].concat()).into()
}

#[derive(Default)]
struct Kept {
    tiles: BTreeMap<String, Vec<Hash>>,
    size: u64,
}

impl Tiles for Kept {
    type Error = Infallible;

    fn tile(&self, at: TileAt, width: usize) -> Result<Vec<Hash>, Infallible> {
        let full = self.tiles.get(&TileName { at, width: None }.to_string());
        let hashes = (self.size >> (8 * u32::from(at.level))) % 256;
        let partial = || &self.tiles[&TileName { at, width: Some(hashes as u8) }.to_string()];
        let hashes = full.unwrap_or_else(partial);
        assert!(hashes.len() >= width, "{at:?} {width}");
        Ok(hashes.clone())
    }
}

fn grown(sizes: &[u64]) -> Kept {
    let mut kept = Kept::default();
    for size in sizes {
        let mut builder = Builder::resume(&kept, kept.size).unwrap();
        for number in kept.size..*size {
            let tiles = &mut kept.tiles;
            builder.push(leaf(number), &mut |name, hashes| {
                tiles.insert(name.to_string(), hashes.to_vec());
            });
        }
        for (name, hashes) in builder.partial() {
            kept.tiles.insert(name.to_string(), hashes.to_vec());
        }
        kept.size = *size;
    }
    kept
}

#[test]
fn hashes_are_those_of_rfc_6962() {
    let text: String = empty().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

#[test]
fn tiles_are_named_as_tlog_tiles_has_it() {
    let name = |level, number, width| TileName { at: TileAt { level, number }, width }.to_string();
    assert_eq!(name(0, 0, None), "0/000");
    assert_eq!(name(1, 273, Some(5)), "1/273.p/5");
    assert_eq!(name(0, 1_234_067, None), "0/x001/x234/067");
    assert_eq!(name(0, 1_000, None), "0/x001/000");
}

#[test]
fn every_root_and_proof_of_small_trees_holds_and_no_other() {
    let leaves: Vec<_> = (0..40).map(leaf).collect();
    let kept = grown(&[40]);
    for size in 1..=40 {
        let top = root(&kept, size).unwrap();
        assert_eq!(top, slow(&leaves[..size as usize]), "{size}");
        for index in 0..size {
            let path = inclusion(&kept, index, size).unwrap();
            assert!(inclusion_holds(&leaves[index as usize], index, size, &path, &top));
            let other = &leaves[(index as usize + 1) % 40];
            assert!(!inclusion_holds(other, index, size, &path, &top));
            assert!(!inclusion_holds(&leaves[index as usize], index + 1, size, &path, &top));
            for cut in 0..path.len() {
                assert!(!inclusion_holds(&leaves[index as usize], index, size, &path[..cut], &top));
            }
        }
        for first in 1..=size {
            let path = consistency(&kept, first, size).unwrap();
            let begin = slow(&leaves[..first as usize]);
            assert!(consistency_holds((first, &begin), (size, &top), &path), "{first} {size}");
            let wrong = slow(&leaves[1..=first as usize % 39 + 1]);
            assert!(wrong == begin || !consistency_holds((first, &wrong), (size, &top), &path));
            assert!(first == size || !consistency_holds((first, &begin), (size, &leaf(99)), &path));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_tree_that_grew_in_steps_is_the_one_that_was_made_at_once(
        steps in proptest::collection::vec(1_u64..70_000, 1..4), asked in any::<u64>(),
    ) {
        let mut sizes: Vec<u64> = steps.iter().scan(0, |sum, step| { *sum += step; Some(*sum) }).collect();
        let kept = grown(&sizes);
        let size = sizes.pop().unwrap();
        let leaves: Vec<_> = (0..size).map(leaf).collect();
        let top = root(&kept, size).unwrap();
        prop_assert_eq!(top, slow(&leaves));
        prop_assert_eq!(top, Builder::resume(&kept, size).unwrap().root());
        let (index, first) = (asked % size, asked % size + 1);
        let path = inclusion(&kept, index, size).unwrap();
        prop_assert!(inclusion_holds(&leaves[index as usize], index, size, &path, &top));
        let path = consistency(&kept, first, size).unwrap();
        let begin = root(&kept, first).unwrap();
        prop_assert_eq!(begin, slow(&leaves[..first as usize]));
        prop_assert!(consistency_holds((first, &begin), (size, &top), &path));
    }
}
