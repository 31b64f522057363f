//! Documents in YAML.

use serde::Deserialize;
use serde::de::Deserializer;
use serde_json::Value;
use serde_saphyr::Options;

use super::bounded::Bounded;
use crate::debug::limits::{IMPORT_LEN_MAX, YAML_BYTES_MAX};
use crate::repo::step_summary::line;

/// Nesting.
const DEPTH_MAX: usize = 64;
/// Mappings, lists and scalars, as they are written and again where an alias repeats them.
const NODES_MAX: usize = 400_000;
/// Of what is wrong, characters that are told.
const TOLD_CHARS_MAX: usize = 200;
/// `*alias`
const ALIASES_MAX: usize = 1_000;

/// The documents of a stream.
pub(super) fn documents(text: &str) -> Result<Vec<Value>, String> {
    let documents = serde_saphyr::from_multiple_with_options::<Document>(text, options());
    let documents = documents.map_err(|error| told(&error.to_string()))?;
    Ok(documents.into_iter().map(|document| document.0).collect())
}

/// What is wrong with it, in short.
fn told(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let is_bound = ["budget", "alias", "replay"].iter().any(|word| first.contains(word));
    match is_bound {
        true => "its aliases, its nesting or its size come to more than is taken".to_owned(),
        false => line(first, TOLD_CHARS_MAX),
    }
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            flow_nesting_limit: DEPTH_MAX,
            max_nodes: NODES_MAX,
            max_events: 2 * NODES_MAX,
            max_aliases: ALIASES_MAX,
            max_anchors: ALIASES_MAX,
            max_merge_keys: ALIASES_MAX,
            max_recorded_anchor_events: NODES_MAX,
            max_recorded_anchor_bytes: 4 * YAML_BYTES_MAX,
            max_total_scalar_bytes: YAML_BYTES_MAX,
            max_documents: IMPORT_LEN_MAX,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: NODES_MAX,
            max_replay_stack_depth: DEPTH_MAX,
        },
        with_snippet: false,
    }
}

/// One document, which has its own bound: the parser's know nothing of how large aliases make it.
struct Document(Value);

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bounded = Bounded::default();
        serde::de::DeserializeSeed::deserialize(bounded.seed(), from).map(Self)
    }
}
