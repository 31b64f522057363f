//! A map's lines, and what is no map.

use super::{LanguageCount, LeftOut, MappedFolder, OutlinedFile, RepoMap, VERSION};

fn folder(path: &str, files: u64) -> MappedFolder {
    let languages = vec![LanguageCount { language: "Rust".to_owned(), files }];
    MappedFolder { path: path.to_owned(), files: files + 1, languages }
}

#[test]
fn the_most_useful_lines_come_first() {
    let map = RepoMap {
        version: VERSION,
        files: 5,
        folders: vec![folder(".", 4), folder("src", 3), folder("src/a", 1), folder("tests", 0)],
        outlines: vec![OutlinedFile {
            path: "src/main.rs".to_owned(),
            language: "Rust".to_owned(),
            definitions: vec!["fn main".to_owned(), "struct Cart".to_owned()],
            more: 3,
        }],
        left_out: LeftOut { folders: 2, outlines: 0, unread: 1 },
    };
    let expect = [
        "the whole tree: 5 files (Rust 4)",
        "src/: 4 files (Rust 3)",
        "tests/: 1 file (Rust 0)",
        "src/main.rs: fn main, struct Cart, 3 more",
        "src/a/: 2 files (Rust 1)",
    ];
    assert_eq!(map.lines(), expect);
    assert_eq!(map.left_out_told().unwrap(), "2 folders, 1 files not read");
    let json = serde_json::to_string(&map).unwrap();
    assert_eq!(RepoMap::parse(&json), Some(map));
    for no_map in ["", "[]", "{}", &json.replace("\"version\":1", "\"version\":2"), &json[1..]] {
        assert_eq!(RepoMap::parse(no_map), None, "{no_map}");
    }
}
