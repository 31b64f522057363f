//! JSON that a caller gives for a field.

use serde::de::DeserializeOwned;

use crate::debug::DebugError;
use crate::debug::documents::one_json;
use crate::debug::schema::held_to_shape;

/// JSON that a caller gives for a field, in the schema's shape: `execution`, `environment`,
/// `test_results`, `failures`, `analysis`, `fix_applied`, `learnings`, `recurring_failures`,
/// `code_quality_issues`; of the lists also one item. Any other field is only read.
///
/// # Errors
/// Where it is no JSON, not of that shape, or has a member that the schema does not name: says where.
pub fn given_json<T: DeserializeOwned>(field: &str, text: &str) -> Result<T, DebugError> {
    let wrong = |why: String| DebugError::Field {
        field: field.to_owned(),
        why: format!("is not as the contract's schema has it: {why}"),
    };
    let value = one_json(text).map_err(wrong)?;
    held_to_shape(field, &value)?;
    // From the text: a number that goes through a float may not come back the same.
    serde_json::from_str(text).map_err(|error| wrong(error.to_string()))
}
