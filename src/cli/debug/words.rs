//! The words of the contract's schema on a command line.

use crate::event::DebugSessionId;
use crate::event::{DebugStatus, ErrorType, RootCause, TemplateRef, Verification};

fn one_of<T: Copy>(
    text: &str,
    found: Option<T>,
    all: impl Iterator<Item = &'static str>,
) -> Result<T, String> {
    found.ok_or_else(|| {
        let all: Vec<_> = all.collect();
        format!("{text} is none of {}", all.join(", "))
    })
}

pub fn root_cause(text: &str) -> Result<RootCause, String> {
    one_of(text, RootCause::parse(text), RootCause::ALL.iter().map(|it| it.as_str()))
}

pub fn error_type(text: &str) -> Result<ErrorType, String> {
    one_of(text, ErrorType::parse(text), ErrorType::ALL.iter().map(|it| it.as_str()))
}

pub fn status(text: &str) -> Result<DebugStatus, String> {
    one_of(text, DebugStatus::parse(text), DebugStatus::ALL.iter().map(|it| it.as_str()))
}

pub fn verification(text: &str) -> Result<Verification, String> {
    one_of(text, Verification::parse(text), Verification::ALL.iter().map(|it| it.as_str()))
}

/// `SESSION:PATTERN`
pub fn template(text: &str) -> Result<TemplateRef, String> {
    let (session, pattern) = text.split_once(':').unwrap_or((text, ""));
    match DebugSessionId::parse(session) {
        Some(session) if !pattern.is_empty() => {
            Ok(TemplateRef { session, pattern: pattern.to_owned() })
        }
        _ => Err("must be SESSION:PATTERN, as `annals debug templates` has them".to_owned()),
    }
}
