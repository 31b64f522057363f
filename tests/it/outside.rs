//! Another's implementation of transparency logs (C2SP's tlog-tiles and signed notes, as Cloudflare wrote them) reads our
//! tiles and our notes, and proves and checks by them.

use std::fs;
use std::path::PathBuf;

use data_encoding::BASE64;
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{
    Checkpoint, Error, Hash, Tile, TileHashReader, TileReader, check_record, check_tree,
    prove_record, prove_tree, tree_hash,
};

use crate::project::Project;

/// Our folder of tiles.
struct Folder(PathBuf);

impl TileReader for Folder {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, Error> {
        // tlog-tiles leaves the height out of the name. A partial tile may have grown since.
        let read = |tile: &Tile| {
            let path = tile.path();
            let path = path.strip_prefix("tile/8/").expect("of height 8");
            let path = self.0.join("tile").join(path.split(".p/").next().expect("a name"));
            let partial = || {
                let folder = fs::read_dir(path.with_extension("p")).expect("a partial one");
                fs::read(folder.last().expect("one").expect("listed").path()).expect("read")
            };
            let mut bytes = fs::read(&path).unwrap_or_else(|_| partial());
            bytes.truncate(tile.width() as usize * 32);
            bytes
        };
        Ok(tiles.iter().map(read).collect())
    }

    fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
}

#[test]
fn another_s_verifier_reads_tiles_notes_and_proofs() {
    let project = Project::new();
    let line = "{\"tool\":\"file_read\",\"arguments\":{},\"outcome\":\"ok\"}\n";
    let record = |count: usize| {
        let mut command = project.command();
        crate::project::Ran::of(command.arg("record").write_stdin(line.repeat(count))).code(0);
    };
    let key = project.annals(["key", "new", "--name", "me@here"]).code(0).out();
    let signed = |name: &str| {
        project.annals(["checkpoint", "--out", name]).code(0);
        let bytes = fs::read(project.path(name)).expect("read");
        let note = Note::from_bytes(&bytes).expect("a note");
        let verifier = StandardVerifier::new(key.trim()).expect("a key");
        let known = VerifierList::new(vec![Box::new(verifier)]);
        let (verified, unknown) = note.verify(&known).expect("signed");
        assert_eq!((verified.len(), unknown.len()), (1, 0));
        Checkpoint::from_bytes(note.text()).expect("a checkpoint")
    };
    record(5);
    let first = signed("first");
    record(300);
    let second = signed("second");
    assert!(first.origin().starts_with("annals/") && first.origin() == second.origin());
    let (size, root) = (second.size(), *second.hash());
    let folder = Folder(project.path(".annals/tlog"));
    let hashes = TileHashReader::new(size, root, &folder);
    assert_eq!(tree_hash(first.size(), &hashes).expect("a root"), *first.hash());
    let grown = prove_tree(size, first.size(), &hashes).expect("it grew");
    check_tree(&grown, size, root, first.size(), *first.hash()).expect("it holds");
    // A proof of ours is one of theirs, and theirs of our leaves hold.
    for at in [1, 5, 256, 257, size] {
        project.annals(["prove", "inclusion", &format!("@{at}"), "--out", "proof"]).code(0);
        let text = fs::read_to_string(project.path("proof")).expect("read");
        fs::remove_file(project.path("proof")).expect("removed");
        let (head, _) = text.split_once("\n\n").expect("a proof");
        let mut lines = head.lines().skip(1);
        let leaf = lines.next().and_then(|it| it.strip_prefix("extra ")).expect("a leaf");
        let leaf = tlog_tiles::record_hash(&BASE64.decode(leaf.as_bytes()).expect("base64"));
        let ours: Vec<_> = lines.skip(1).map(|it| Hash::parse_hash(it).expect("a hash")).collect();
        let theirs = prove_record(size, at - 1, &hashes).expect("it is there");
        assert_eq!(ours, theirs, "@{at}");
        check_record(&ours, size, root, at - 1, leaf).expect("it holds");
        assert!(check_record(&ours, size, root, (at + 1) % size, leaf).is_err(), "@{at}");
    }
}
