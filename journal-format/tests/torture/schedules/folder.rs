//! A journal's own name: the folders that were made for it last too.

use std::path::Path;

use annals_journal_format::storage::sim::{Crash, NamesLeft, SimStorage, Tail};
use annals_journal_format::writer::{Durability, Writer};

use crate::history::{ID, append, options};
use crate::image::read;

#[test]
fn a_new_journal_keeps_its_name_through_power_loss() {
    for folder in ["/journal", "/project/journal", "/home/someone/project/.annals/journal"] {
        let disk = SimStorage::new(1);
        let folder = Path::new(folder);
        let options = options(Durability::Group, 1 << 20, 1);
        let writer = Writer::create(disk.clone(), folder, ID, options).unwrap();
        append(&writer, &[1]).unwrap();
        let crash = Crash { tail: Tail::Nothing, names: NamesLeft::Nothing, seed: 1 };
        let left = disk.crash(crash);
        assert_eq!(read(&left, folder).entries, [(1, 1)], "{}", folder.display());
    }
}
