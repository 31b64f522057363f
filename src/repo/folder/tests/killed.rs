//! Writers that die after so many changes, in the middle of a write: the next one mends it.

use super::{REPO, Rows};
use crate::repo::folder::RepoFolder;
use crate::store::fuse;

/// Publishes until the fuse is out; whether it was published whole.
fn dying(rows: &Rows, home: &std::path::Path, changes: u32) -> bool {
    fuse::light(changes);
    let done =
        RepoFolder::hold(home, REPO).and_then(|folder| folder.publish(&rows.wanted(), false));
    fuse::put_out();
    let is_whole = done.is_ok();
    if let Ok(standing) = done {
        assert_eq!(standing.left().count(), 0, "after {changes} changes: {standing:?}");
    }
    is_whole
}

#[test]
fn whoever_comes_after_a_dead_writer_finds_nothing_edited() {
    // What is there, what a writer dies on, and what has been recorded until the next one comes.
    for (was, dies_on, then) in [(0, 3, 3), (0, 9, 12), (4, 5, 5), (4, 12, 12), (4, 12, 20)] {
        for changes in 0.. {
            let home = tempfile::tempdir().unwrap();
            if was > 0 {
                Rows::of(1, was).publish(home.path());
            }
            let whole = dying(&Rows::of(1, dies_on), home.path(), changes);
            let rows = Rows::of(1, then);
            assert_eq!(rows.look(home.path()).left().count(), 0, "{was} {dies_on} {changes}");
            let standing = rows.publish(home.path());
            assert_eq!(standing.left().count(), 0, "{was} {dies_on} {changes}: {standing:?}");
            rows.are_in(home.path());
            if whole {
                break;
            }
        }
    }
}

#[test]
fn writers_that_die_one_after_another_lose_nothing() {
    for first in 0..14 {
        for second in [0, 1, 3, 5, 6, 7, 9, 12] {
            let home = tempfile::tempdir().unwrap();
            Rows::of(1, 2).publish(home.path());
            dying(&Rows::of(1, 6), home.path(), first);
            dying(&Rows::of(1, 9), home.path(), second);
            let rows = Rows::of(1, 10);
            let standing = rows.publish(home.path());
            assert_eq!(standing.left().count(), 0, "{first} {second}: {standing:?}");
            rows.are_in(home.path());
        }
    }
}

#[test]
fn a_rewrite_of_all_lines_that_was_cut_short_is_done_by_the_next() {
    let linked = || {
        let mut rows = Rows::of(1, 9);
        rows.lines.insert(0, (1, "{\"of\":2,\"summary\":\"step 1\"}\n".to_owned()));
        rows
    };
    for changes in 0.. {
        let home = tempfile::tempdir().unwrap();
        Rows::of(1, 8).publish(home.path());
        let whole = dying(&linked(), home.path(), changes);
        let standing = linked().publish(home.path());
        assert_eq!(standing.left().count(), 0, "{changes}: {standing:?}");
        linked().are_in(home.path());
        if whole {
            break;
        }
    }
}
