//! The room of an archive behind what counts.

use std::fs;

use super::{archive, data, filled};

#[test]
fn an_archive_that_changed_where_nothing_is_kept_is_told_too() {
    let project = filled();
    archive(&project).code(0);
    let path = data(&project, 0);
    let sound = fs::read(&path).expect("read");
    for back in [1, 8, 20] {
        let mut bytes = sound.clone();
        let at = bytes.len() - back;
        bytes[at] ^= 1;
        fs::write(&path, bytes).expect("written");
        project.annals(["verify"]).code(3).says("is not the one that was archived");
    }
    fs::write(&path, sound).expect("written");
    project.annals(["verify"]).code(0);
}
