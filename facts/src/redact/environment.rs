//! The values of the process's own secret variables, in the forms that they turn up in.

use super::disguise::inner_digits;
use super::generic::url_password;
use super::judge::{is_identity, is_path, is_placeholder};
use super::names;

/// The rule for them; its marker never says which.
pub(super) const RULE: &str = "env-value";

/// Shorter values turn up by chance.
const VALUE_MIN: usize = 8;
const VALUE_MAX: usize = 16 << 10;
/// More would be no environment of a person's.
const FORMS_MAX: usize = 1024;

/// A value as it may stand in a text.
pub(super) struct Form {
    pub bytes: Vec<u8>,
    /// Part of base 64: what stands around it in the same digits goes as well.
    pub is_base64: bool,
}

/// The forms of all values that are secret.
pub(super) fn forms(variables: impl Iterator<Item = (String, String)>) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let mut add = |bytes: Vec<u8>, is_base64: bool| {
        let known = forms.iter().any(|form| form.bytes == bytes);
        if !known && bytes.len() >= VALUE_MIN && forms.len() < FORMS_MAX {
            forms.push(Form { bytes, is_base64 });
        }
    };
    for value in variables.filter_map(|(name, value)| secret(&name, &value)) {
        let bytes = value.as_bytes();
        let digits = inner_digits(bytes);
        let mut json = String::new();
        crate::event::canonical::write_text(&value, &mut json);
        add(bytes.to_vec(), false);
        add(json.trim_matches('"').as_bytes().to_vec(), false);
        add(encoded(bytes), false);
        digits.into_iter().for_each(|digits| add(digits, true));
    }
    forms
}

/// What of a variable is secret.
fn secret(name: &str, value: &str) -> Option<String> {
    let value = value.trim();
    // What is too short goes first: to look at a name takes a hundred words.
    let whole =
        value.len() >= VALUE_MIN && is_secret_name(name.as_bytes()) && is_secret_value(name, value);
    let part = || url_password(value).filter(|part| is_secret_value("PASSWORD", part));
    if whole { Some(value.to_owned()) } else { part().map(str::to_owned) }
}

fn is_secret_name(name: &[u8]) -> bool {
    let words = ["KEY", "PASS", "AUTH", "PAT", "CRED", "CREDS", "PW"];
    let (upper, lower) = (name.to_ascii_uppercase(), name.to_ascii_lowercase());
    let word = |part: &[u8]| words.iter().any(|word| word.as_bytes() == part);
    (names::has_word(&lower) || upper.split(|byte| *byte == b'_').any(word))
        && !names::is_about(name)
}

fn is_secret_value(name: &str, value: &str) -> bool {
    let bytes = value.as_bytes();
    let word = bytes.len() < 20
        && (bytes.iter().all(u8::is_ascii_lowercase) || bytes.iter().all(u8::is_ascii_uppercase));
    let number = bytes.iter().all(|byte| byte.is_ascii_digit() || b"., -+".contains(byte));
    (VALUE_MIN..=VALUE_MAX).contains(&bytes.len())
        && !word
        && !number
        && !is_placeholder(bytes)
        && !is_path(bytes)
        && (!is_identity(bytes) || names::is_strong(name.as_bytes()))
}

/// As a URL has it.
fn encoded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in bytes {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(*byte),
            _ => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    out
}

/// Every variable that is text, with its value.
pub fn variables() -> impl Iterator<Item = (String, String)> {
    // What is not UTF-8 is no token of a service.
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}
