//! The bytes of every kind, kept: today's encoder gives them and today's decoder reads them.
//!
//! A schema number that was released is never given other bytes: a change of an event is a new
//! schema, an upcaster, and another fixture beside this one. Until 1.0 they may be made anew:
//! `ANNALS_WRITE_FIXTURES=1 cargo test -p annals --lib event::`.

use std::fs;
use std::path::PathBuf;

use super::samples::samples;
use crate::event::*;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../journal-format/tests/fixtures/v1/events")
}

fn file_name(body: &Body) -> String {
    format!("{:04x}-{}-{}.bin", body.kind().0, body.schema(), body.name())
}

#[test]
fn the_bytes_of_every_kind_are_those_on_file() {
    for event in samples() {
        let path = folder().join(file_name(&event.body));
        let mut bytes = Vec::new();
        encode(&event, &mut bytes).unwrap();
        if std::env::var_os("ANNALS_WRITE_FIXTURES").is_some() {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        let kept = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(bytes, kept, "{}: the encoder's bytes changed", path.display());
        let decoded = decode(event.body.kind(), event.body.schema(), &kept).unwrap();
        assert_eq!(decoded, event, "{}", path.display());
    }
}

#[test]
fn every_file_belongs_to_a_kind_and_older_schemas_are_lifted() {
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let mut parts = name.strip_suffix(".bin").unwrap().splitn(3, '-');
        let kind = Kind(u16::from_str_radix(parts.next().unwrap(), 16).unwrap());
        let schema: u8 = parts.next().unwrap().parse().unwrap();
        assert_eq!(kind.name(), parts.next(), "{name} is no kind's fixture");
        assert!((1..=kind.schema().unwrap()).contains(&schema), "{name}");
        let event = decode(kind, schema, &fs::read(folder().join(&name)).unwrap()).unwrap();
        assert_eq!(event.body.kind(), kind);
    }
}
