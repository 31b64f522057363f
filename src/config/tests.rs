//! Settings: the template, defaults, and errors that name their place.

use std::path::PathBuf;

use super::consent::is_inside;
use super::*;

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(text, Path::new("config.toml")).map_err(|error| error.to_string())
}

#[test]
fn the_template_gives_the_defaults() {
    assert_eq!(parse(&TEMPLATE.replace("{contract}", "open")), Ok(Config::default()));
    let locked = parse(&TEMPLATE.replace("{contract}", "locked")).unwrap();
    assert_eq!(locked.contract, Contract::Locked);
}

#[test]
fn the_templates_commented_example_parses_once_uncommented() {
    let text = TEMPLATE
        .replace("{contract}", "open")
        .replace("# [[", "[[")
        .replace("# name", "name")
        .replace("# regex", "regex");
    let patterns = parse(&text).unwrap().redact.patterns;
    assert_eq!(patterns.len(), 1);
    assert_eq!(patterns[0].name, "staff-number");
}

#[test]
fn what_is_not_known_is_an_error_with_its_place() {
    for (text, place, says) in [
        ("durability = 'group'", "config.toml:1:1", "unknown field `durability`"),
        ("\n[journal]\ndurabilty = 'group'", "config.toml:3:1", "unknown field `durabilty`"),
        ("[journal]\ndurability = 'always'", "config.toml:2:14", "unknown variant `always`"),
        ("[debug]\nattempts_max = 0", "config.toml:2:16", "must be from 1 to 1000"),
        ("[redact]\npatterns = 3", "config.toml:2:12", "invalid type"),
        ("[journal", "config.toml:1:9", ""),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.starts_with(place), "{text:?}: {error}");
        assert!(error.contains(says), "{text:?}: {error}");
    }
}

#[test]
fn a_missing_file_means_the_defaults_and_a_folder_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Config::load(&folder.path().join("none")).unwrap(), Config::default());
    assert!(matches!(Config::load(folder.path()), Err(ConfigError::Read { .. })));
}

/// The template with every line that is commented out put in force, and every text replaced.
fn hostile(value: &str) -> String {
    let mut text = String::new();
    let template = TEMPLATE.replace("{contract}", "open");
    // Patterns only add: they count whoever wrote them.
    let template = template.split("[redact]").next().unwrap();
    for line in template.lines() {
        let line = line.strip_prefix("# ").filter(|line| line.contains(" = ")).unwrap_or(line);
        let key = line.split_once(" = ").filter(|(_, set)| set.starts_with('"'));
        match key {
            Some(("contract" | "gate" | "download" | "durability", _)) | None => {
                text.push_str(if line.contains("<") { "" } else { line });
            }
            Some((key, _)) => text.push_str(&format!("{key} = {value:?}")),
        }
        text.push('\n');
    }
    text
}

#[test]
fn nothing_that_is_a_text_counts_without_consent_but_a_label() {
    let text = hostile("/outside; touch me");
    let mut config = Config::parse(&text, Path::new("c")).unwrap_or_else(|error| {
        panic!("{error}\n{text}");
    });
    assert_eq!(config.machine.take().as_deref(), Some("/outside; touch me"), "{text}");
    let found = config.withhold(Path::new("/p"));
    assert_eq!(found.len(), 11, "{found:?}");
    assert!(found.iter().all(|it| it.value == "/outside; touch me"), "{found:?}");
    let rest = format!("{config:?}");
    assert!(!rest.contains("touch me"), "{rest}");
    assert_eq!(config.withhold(Path::new("/p")), Vec::new());
}

#[test]
fn what_init_writes_needs_no_consent() {
    let text = TEMPLATE.replace("{contract}", "open");
    let mut config = Config::parse(&text, Path::new("c")).unwrap();
    assert_eq!(config.withhold(Path::new("/p")), Vec::new());
    assert_eq!(config, Config::default());
}

#[test]
fn a_folder_counts_as_inside_only_where_no_part_of_it_leads_out() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    std::fs::create_dir_all(root.join("real")).unwrap();
    std::os::unix::fs::symlink("/etc", root.join("link")).unwrap();
    let absolute: PathBuf = root.join("real/new");
    for (folder, inside) in [
        ("real", true),
        ("real/new/deeper", true),
        ("./real", true),
        (absolute.to_str().unwrap(), true),
        ("../p", false),
        ("real/../../x", false),
        ("link", false),
        ("link/deeper", false),
        ("/etc", false),
        ("~/x", false),
        ("~", false),
    ] {
        assert_eq!(is_inside(root, folder), inside, "{folder}");
    }
}
