//! What lies where annals has a folder.

use super::wounds::plant;
use super::{Wound, all_foretold};

const FOLDERS: &[Wound] = &[
    ("a file as the quarantine", |it| plant(it, "quarantine"), &["moved aside: "]),
    ("a file as the place to build in", |it| plant(it, "building"), &["moved aside: "]),
    (
        "a file as the journal's quarantine",
        |it| plant(it, "journal/quarantine"),
        &["moved aside: "],
    ),
    (
        "files as two folders",
        |it| ["owners", "packs"].iter().for_each(|name| plant(it, name)),
        &["moved aside: ", "moved aside: "],
    ),
];

#[test]
fn what_lies_in_the_place_of_a_folder_is_foretold() {
    all_foretold(FOLDERS);
}
