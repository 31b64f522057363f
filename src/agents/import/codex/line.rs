//! One line of a rollout.

use serde::Deserialize;

use super::payload::Payload;
use crate::agents::import::loose::{Loose, Text};

/// One line. The oldest rollouts have the payload's own fields in its place.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Line<'a> {
    #[serde(borrow)]
    pub timestamp: Text<'a>,
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub payload: Loose<Payload<'a>>,
}
