//! `constraints`: what a model says it kept to.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;

/// `constraints`: what a model says it kept to. They loosen nothing: a plan that leaves its workspace
/// is refused whatever they say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// By name; of those that we know the values are truth values.
    pub stated: BTreeMap<String, Value>,
}

/// The reference's names.
pub const KNOWN: [&str; 7] = [
    "allow_sudo_in_singularity",
    "allow_apt_get_in_singularity",
    "write_only_under_workspace",
    "no_absolute_paths",
    "no_parent_traversal",
    "python_output_must_use_numpy",
    "non_python_output_must_use_cnpy",
];

impl Constraints {
    pub(super) fn read(field: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let Some(field) = field else { return Ok(Self::default()) };
        let object = field.object("an object of names and truth values")?;
        field.bounded(object.len(), "members")?;
        for name in KNOWN {
            match field.member(name) {
                Some(known) if !known.value.is_boolean() => {
                    return Err(known.wrong("true or false"));
                }
                _ => {}
            }
        }
        let stated = object.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(Self { stated })
    }
}
