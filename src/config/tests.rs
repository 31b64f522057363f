//! Settings: the template, defaults, and errors that name their place.

use std::path::PathBuf;

use super::consent::is_inside;
use super::*;

fn read(text: &str) -> (Config, Vec<String>) {
    let read = ConfigRead::of_bytes(text.as_bytes().to_vec(), Path::new("config.toml"));
    (read.config, read.faults.iter().map(ToString::to_string).collect())
}

/// The settings of a text of which every one can be used.
fn parse(text: &str) -> Config {
    let (config, faults) = read(text);
    assert_eq!(faults, Vec::<String>::new(), "{text}");
    config
}

#[test]
fn the_template_gives_the_defaults() {
    let made = TEMPLATE.replace("{contract}", "open");
    assert_eq!(toml::from_str(&made), Ok(Config::default()));
    assert_eq!(parse(&made), Config::default());
    let locked = parse(&TEMPLATE.replace("{contract}", "locked"));
    assert_eq!(locked.contract, Contract::Locked);
}

#[test]
fn the_templates_commented_example_parses_once_uncommented() {
    let text = TEMPLATE
        .replace("{contract}", "open")
        .replace("# [[", "[[")
        .replace("# name", "name")
        .replace("# regex", "regex");
    let patterns = parse(&text).redact.patterns;
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
        let (config, faults) = read(text);
        let error = &faults[0];
        assert_eq!(config, Config::default(), "{text:?}");
        assert!(error.starts_with(place), "{text:?}: {error}");
        assert!(error.contains(says), "{text:?}: {error}");
    }
}

#[test]
fn one_that_cannot_be_used_takes_no_other_with_it() {
    let pattern = |name: &str| format!("[[redact.patterns]]\nname = '{name}'\nregex = 'x'\n");
    let rest = format!("[debug]\nretention_days = 7\n{}{}", pattern("a"), pattern("b"));
    for (first, faults) in [
        ("", 0),
        ("wrong = 1\n", 1),
        ("contract = 3\nmachine = ['x']\n", 2),
        ("[journl]\ndurability = 'group'\nmore = 1\n", 1),
        ("[debug.hooks]\ntimeout = 1\n[memory]\nuse_fts = false\nretrieval_k = 'x'\n", 2),
        ("[redact]\npattern = 1\n", 1),
        ("machine = \n", 1),
        ("machine \"x\"\n", 1),
        ("machine = 'x'\nmachine = 'y'\n", 1),
    ] {
        let (config, told) = read(&format!("{first}{rest}"));
        assert_eq!(told.len(), faults, "{first:?}: {told:?}");
        assert_eq!(config.debug.retention_days, 7, "{first:?}");
        let names: Vec<_> = config.redact.patterns.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a", "b"], "{first:?}");
        assert_eq!(config.memory.use_fts, !first.contains("use_fts"), "{first:?}");
    }
    // Of several patterns each counts by itself.
    let text = format!("{}[[redact.patterns]]\nname = 'no'\n{}", pattern("a"), pattern("b"));
    let (config, told) = read(&text);
    assert_eq!((config.redact.patterns.len(), told.len()), (2, 1), "{told:?}");
}

#[test]
fn a_gate_that_cannot_be_read_is_enforced() {
    let gate = |text: &str| read(text).0.gate;
    assert_eq!(gate("gate = 'observe'\nwrong = 1"), Some(GateMode::Observe));
    assert_eq!(gate("gate = 'enfroce'"), Some(GateMode::Enforce));
    assert_eq!(gate("gate 'observe'"), Some(GateMode::Enforce));
    assert_eq!(gate("gate = 'observe\n[journal\n"), Some(GateMode::Enforce));
    assert_eq!(gate("wrong = 1"), None);
}

#[test]
fn what_is_no_text_costs_neither_the_rest_nor_time() {
    let path = Path::new("config.toml");
    let latin = b"# caf\xe9\nmachine = 'x'\n".to_vec();
    let read = ConfigRead::of_bytes(latin, path);
    assert_eq!(read.config.machine.as_deref(), Some("x"));
    assert!(read.faults[0].to_string().starts_with("config.toml:1:6"), "{:?}", read.faults);
    // What took a square of its length would take minutes of this.
    let size = usize::try_from(BYTES_MAX).unwrap() / 8;
    for piece in
        ["a = 1\n", "[", "\u{fffd}\n", "[a]\n", "a.", "'", "x", "{", "a = [[\n", "gate = 1\n"]
    {
        let text = piece.repeat(size / piece.len());
        let read = ConfigRead::of_bytes(text.into_bytes(), path);
        assert!((1..=crate::config::FAULTS_MAX).contains(&read.faults.len()), "{piece:?}");
    }
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
    let mut config = parse(&text);
    assert_eq!(config.machine.take().as_deref(), Some("/outside; touch me"), "{text}");
    let found = config.withhold(Path::new("/p"));
    assert_eq!(found.len(), 12, "{found:?}");
    assert!(found.iter().all(|it| it.value == "/outside; touch me"), "{found:?}");
    let rest = format!("{config:?}");
    assert!(!rest.contains("touch me"), "{rest}");
    assert_eq!(config.withhold(Path::new("/p")), Vec::new());
}

#[test]
fn what_init_writes_needs_no_consent() {
    let text = TEMPLATE.replace("{contract}", "open");
    let mut config = parse(&text);
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

/// The user's own settings in a text.
fn user(text: &str) -> Result<UserConfig, String> {
    let read = UserConfig::of_bytes(text.as_bytes(), Path::new("config.toml"));
    read.map_err(|error| error.to_string())
}

#[test]
fn a_model_has_the_price_of_its_name_or_of_the_longest_beginning() {
    let text = "[prices]\ncurrency = 'EUR'\n[prices.'claude']\ninput = 1\noutput = 2\n\
                [prices.'claude-opus']\ninput = 15.0\noutput = 75.0\ncache_read = 1.5\ncache_write = 18.75\n";
    let prices = user(text).unwrap().prices;
    assert_eq!(prices.currency, "EUR");
    for (model, name) in [
        ("claude-opus", Some("claude-opus")),
        ("claude-opus-4-1", Some("claude-opus")),
        ("claude-sonnet", Some("claude")),
        ("gpt-5", None),
        ("", None),
    ] {
        assert_eq!(prices.of(model).map(|it| it.0), name, "{model}");
    }
    let found = prices.of("claude-opus-4").unwrap().1;
    assert_eq!((found.input, found.cache_write), (15.0, Some(18.75)));
    assert_eq!(user("").unwrap().prices, Prices::default());
}

#[test]
fn what_is_no_price_is_an_error_with_its_place() {
    for (text, says) in [
        ("[price]\n", "config.toml:1:2: unknown field `price`"),
        ("[prices.a]\ninput = 1\n", "missing field `output`"),
        ("[prices.a]\ninput = -1\noutput = 1\n", "-1 is no price"),
        ("[prices.a]\ninput = nan\noutput = 1\n", "NaN is no price"),
        ("[prices.a]\ninput = 1\noutput = 1\ncached = 1\n", "unknown field `cached`"),
        ("[prices]\na = 3\n", "invalid type"),
        ("\n[memory]\nembed = 'x'\n", "config.toml:2:2: unknown field `memory`"),
    ] {
        let error = user(text).unwrap_err();
        assert!(error.contains(says), "{text:?}: {error}");
    }
}
