//! Settings: the template, defaults, and errors that name their place.

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
    assert!(matches!(Config::load(folder.path()), Err(ConfigError::NotSettings { .. })));
}
