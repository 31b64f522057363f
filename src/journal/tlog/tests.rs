//! Trees of real journals: against their definition, grown in steps, with numbers left out.

use annals_journal_format::tree::{consistency_holds, inclusion_holds, node};

use super::key::SecretKey;
use super::*;
use crate::event::{Body, Envelope, Event, Source, ToolsDeclared};
use crate::journal::{InitOptions, Project, Reading};

fn project() -> (tempfile::TempDir, Project) {
    let dir = tempfile::tempdir().unwrap();
    let (project, _) = Project::init(dir.path(), &InitOptions::default()).unwrap();
    (dir, project)
}

fn append(project: &Project, count: usize) {
    for number in 0..count {
        let body = Body::ToolsDeclared(ToolsDeclared {
            tools: vec![format!("tool-{number}")],
            by: "test".into(),
        });
        let event = Event { envelope: Envelope::new(None, Source::Live, 1), body };
        project.journal().unwrap().append(&[event], 1).unwrap();
    }
}

/// RFC 6962 §2.1, word for word.
fn slow(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => annals_journal_format::tree::empty(),
        [leaf] => *leaf,
        leaves => {
            let left = leaves.len().next_power_of_two() / 2;
            node(&slow(&leaves[..left]), &slow(&leaves[left..]))
        }
    }
}

#[test]
fn a_tree_that_grows_is_the_one_over_all_leaves_and_proves_each() {
    let (_dir, project) = project();
    let (journal, folder) = (project.journal_dir(), project.tlog_dir());
    let mut before: Option<(u64, Hash)> = None;
    for count in [0, 3, 300, 1] {
        append(&project, count);
        let kept = Tree::of(&journal, Reading::Live, Some(folder.clone()), None).unwrap();
        let fresh = Tree::of(&journal, Reading::Live, None, None).unwrap();
        let size = kept.size();
        assert_eq!(size, fresh.size());
        assert_eq!(size, project.reader().unwrap().mark().sequence.0);
        let leaves: Vec<_> = (0..size).map(|index| kept.leaf(index).unwrap()).collect();
        let root = kept.root(size).unwrap();
        assert_eq!(root, slow(&leaves));
        assert_eq!(root, fresh.root(size).unwrap());
        for sequence in [1, 2, size / 2, size] {
            let at = Sequence(sequence.max(1));
            let index = kept.index(at).unwrap();
            assert_eq!(kept.sequence(index), at);
            let path = kept.inclusion(index, size).unwrap();
            assert!(inclusion_holds(&leaves[index as usize], index, size, &path, &root));
            let frame = kept.record(&journal, Reading::Live, at).unwrap();
            assert_eq!(annals_journal_format::frame::leaf(&frame), leaves[index as usize]);
        }
        if let Some((first, first_root)) = before {
            let path = kept.consistency(first, size).unwrap();
            assert!(consistency_holds((first, &first_root), (size, &root), &path));
        }
        assert!(kept.index(Sequence(size + 1)).is_err() && kept.root(size + 1).is_err());
        before = Some((size, root));
    }
    // A tile that is gone or another is not believed: the tree is made anew.
    std::fs::remove_dir_all(folder.join("tile/1")).unwrap();
    let size = before.unwrap().0;
    let again = Tree::of(&journal, Reading::Live, Some(folder), None).unwrap();
    assert_eq!((again.size(), again.root(size).unwrap()), (size, before.unwrap().1));
}

#[test]
fn a_note_is_signed_by_its_key_alone_and_read_back() {
    let (one, other) = (SecretKey::generate("me@here"), SecretKey::generate("me@here"));
    let mark = crate::journal::Mark { sequence: Sequence(9), chain: [7; 32] };
    let checkpoint = Checkpoint { journal: [1; 16], size: 8, root: [2; 32], mark };
    let note = one.sign(checkpoint.text()).unwrap();
    let text = note.to_string();
    let read = Note::parse(&text).unwrap();
    assert_eq!(read, note);
    assert_eq!(Checkpoint::parse(&read.text).unwrap(), checkpoint);
    assert!(read.is_signed_by(&one.public()) && !read.is_signed_by(&other.public()));
    let forged = Note::parse(&text.replace("\n8\n", "\n9\n")).unwrap();
    assert!(!forged.is_signed_by(&one.public()));
    let line = one.public().to_string();
    assert_eq!(PublicKey::parse(&line), Some(one.public()));
    for bad in ["", "a+b+c", &line.replace("me@here", "me@there"), &line[..line.len() - 4]] {
        assert_eq!(PublicKey::parse(bad), None, "{bad}");
    }
    for bad in ["", "a\n", "a\n\nb\n", "a\n\n— x y\n", "a\u{1b}\n\n— x AAAAAAAA\n"] {
        assert!(Note::parse(bad).is_err(), "{bad:?}");
    }
    for bad in ["annals/00\n1\n\n", &checkpoint.text().replace("\n8\n", "\n08\n"), "x\n8\n"] {
        assert!(Checkpoint::parse(bad).is_err(), "{bad:?}");
    }
}
