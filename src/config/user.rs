//! `~/.config/annals/config.toml`: what this user says for all projects. What a project's own settings may not say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::{ConfigError, environment};

/// Where it lies (XDG base directory specification); `None` where the user has no such place.
pub fn user_config_path() -> Option<PathBuf> {
    Some(environment::config_folder()?.join("config.toml"))
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UserConfig {
    pub prices: Prices,
    pub checkpoint: CheckpointConfig,
    pub ship: ShipConfig,
}

/// `[checkpoint]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckpointConfig {
    /// Where there is a key, what a session's end finds in the journal is signed.
    pub automatic: bool,
    /// So is what was recorded, after so many events; 0: not.
    pub every: u64,
    /// A command that takes each checkpoint off the machine: it is on its standard input.
    pub sink: Option<String>,
    /// How long that may take, seconds.
    pub sink_within_s: u64,
    /// Public keys of witnesses, whose cosignatures are kept and asked for.
    pub witnesses: Vec<String>,
    /// How many of them must have signed; not said: all.
    pub witnesses_min: Option<usize>,
}

impl Default for CheckpointConfig {
    fn default() -> Self {
        Self {
            automatic: true,
            every: 0,
            sink: None,
            sink_within_s: 10,
            witnesses: Vec::new(),
            witnesses_min: None,
        }
    }
}

/// `[ship]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShipConfig {
    /// The folder or bucket that journals are sent to: a session's end notes that its project is due, and sends nothing.
    pub to: Option<String>,
    /// A segment is sealed once its first record is so old, seconds.
    pub seal_after_s: u64,
}

impl Default for ShipConfig {
    fn default() -> Self {
        Self { to: None, seal_after_s: 86_400 }
    }
}

impl UserConfig {
    pub fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self, ConfigError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            ConfigError::at(path, bytes, error.valid_up_to(), "it is not UTF-8".to_owned())
        })?;
        toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            ConfigError::at(path, bytes, at, error.message().to_owned())
        })
    }
}

/// `[prices]`: what models cost; a table a model, by its name or how its name begins.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Prices {
    /// What they are in, a word; none where it is not said.
    #[serde(default)]
    pub currency: String,
    #[serde(flatten)]
    pub models: BTreeMap<String, Price>,
}

impl Prices {
    /// The price of the model of this name, and the name that it stands under: its own, or the longest of
    /// those that it begins with.
    pub fn of(&self, model: &str) -> Option<(&str, &Price)> {
        let begins = self.models.iter().filter(|(name, _)| model.starts_with(name.as_str()));
        begins.max_by_key(|(name, _)| name.len()).map(|(name, price)| (name.as_str(), price))
    }
}

/// Of a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    #[serde(deserialize_with = "amount")]
    pub input: f64,
    #[serde(deserialize_with = "amount")]
    pub output: f64,
    /// As `input` where it is not said.
    #[serde(default, deserialize_with = "some_amount")]
    pub cache_read: Option<f64>,
    #[serde(default, deserialize_with = "some_amount")]
    pub cache_write: Option<f64>,
}

fn amount<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let given = f64::deserialize(from)?;
    match given.is_finite() && given >= 0.0 {
        true => Ok(given),
        false => Err(D::Error::custom(format_args!("{given} is no price: give 0 or more"))),
    }
}

fn some_amount<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    amount(from).map(Some)
}
