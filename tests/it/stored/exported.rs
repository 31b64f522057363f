//! Tables in a bucket: as in a folder, also over kills.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::server::{self, Server, stalling};
use super::{ask, filled};

const TO: &str = "s3://annals/tables";

/// What lies in the bucket below `tables/`, lists left out.
fn objects(server: &Server) -> BTreeMap<String, Vec<u8>> {
    let listed = server.ask("GET", "/annals?list-type=2&prefix=tables/", b"");
    let listed = String::from_utf8(listed).expect("XML");
    let keys = listed.split("<Key>").skip(1).filter_map(|rest| rest.split("</Key>").next());
    let keys = keys.filter(|key| key.ends_with(".parquet"));
    let get = |key: &str| {
        let path = format!("/annals/{}", key.replace('%', "%25"));
        (key.trim_start_matches("tables/").to_owned(), server.ask("GET", &path, b""))
    };
    keys.map(get).collect()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(one) = folders.pop() {
        for path in fs::read_dir(one).expect("a folder").map(|it| it.expect("an entry").path()) {
            let name = path.strip_prefix(folder).expect("below").display().to_string();
            match path.is_dir() {
                true => folders.push(path),
                false if name.ends_with(".parquet") => {
                    found.insert(name, fs::read(path).expect("read"));
                }
                false => {}
            }
        }
    }
    found
}

#[test]
fn tables_in_a_bucket_are_those_of_a_folder_also_after_kills() {
    let Some(server) = super::server() else { return };
    let project = filled();
    project.annals(["export", "parquet", "there"]).code(0);
    let whole = files(&project.path("there"));
    let mut stalls = 0;
    for bytes in [200, 2_000, 6_000, 12_000, 20_000, 40_000, 60_000] {
        let stalled = stalling(&server, bytes);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_annals"));
        command.args(["export", "parquet", TO]).current_dir(project.root());
        command.env("HOME", project.root()).stdout(Stdio::null()).stderr(Stdio::null());
        server::named(&mut command, &stalled.endpoint);
        let mut child = command.spawn().expect("started");
        let until = Instant::now() + Duration::from_secs(20);
        while !stalled.is_stalled() && child.try_wait().expect("asked").is_none() {
            assert!(Instant::now() < until, "neither stalled nor done");
            std::thread::sleep(Duration::from_millis(5));
        }
        stalls += u32::from(stalled.is_stalled());
        // It may have ended by itself.
        drop(child.kill());
        child.wait().expect("ended");
        for (name, bytes) in objects(&server) {
            assert!(whole.get(&name) == Some(&bytes), "{name}: not whole");
        }
    }
    assert!(stalls >= 4, "only {stalls} were killed while they sent");
    let export =
        || ask(&project, &server.endpoint, &["export", "parquet", TO, "--json"]).code(0).json();
    export();
    assert!(objects(&server) == whole);
    let again = export();
    let tables = again[0]["tables"].as_array().expect("tables");
    assert!(tables.iter().all(|it| it["written"] == 0), "{again}");
    // One that does not answer is told, and so is an address that is none.
    let refused = ask(&project, "http://127.0.0.1:9", &["export", "parquet", TO]);
    assert!(refused.err().contains("object store"), "{}", refused.err());
    project.annals(["export", "parquet", "gs://annals/x"]).code(2).says("no kind of");
}
