//! Leaves as FORMAT.md §6 says. The values are of a script in Python (hashlib's SHA-256 and the
//! `blake3` of PyPI) over the kept frames.

use std::fs;

use annals_journal_format::frame::{inner_hash, leaf};

use super::fixtures::folder;

const LEAVES: [(&str, &str, &str); 4] = [
    (
        "short",
        "35d127a11cb8085c674dcd5489db76ca7d0e023c21e6355498e2caf3ed871439",
        "723ae31e967a7c7a2d2324b279abc561bdd7bb4a5054b2df155845227dc8473b",
    ),
    (
        "empty",
        "c2f7659bf33a51e4c0e090c4b2bb675219c551bc0875b673d6de238487eb083e",
        "7a5442d568295e031ba2fefc5d1ef828d0fd0828d26f0659ab44311fbb0f43f7",
    ),
    (
        "masked",
        "c8d1e945964bbd11cebc1cd343a34c36828aa52b5e31d21fda2d33bee2055972",
        "c77ab6edee02a8ea17d5c97007a8a64cce4d2838a7952eec1a8ee4faa26aa02f",
    ),
    (
        "compressed",
        "e67f37d83f39f8191b5a34c3fc22aeb11ea893f80db9f725709d624a4895d4c0",
        "de4f9c4b1687ceb2afa2eebed616d1d3a1f3315dd498851b7ca57c5e633de96d",
    ),
];

fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn leaves_are_those_of_another_program() {
    for (name, inner, whole) in LEAVES {
        let frame = fs::read(folder().join(format!("frames/{name}.bin"))).unwrap();
        assert_eq!(hex(inner_hash(&frame)), inner, "{name}");
        assert_eq!(hex(leaf(&frame)), whole, "{name}");
    }
}
