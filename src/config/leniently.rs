//! Settings one by one: what cannot be used is left out and told, and the rest of the file holds.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer, Error};

use super::Config;
use crate::event::GateMode;

/// What is told of one file.
pub(super) const FAULTS_MAX: usize = 20;

/// What is wrong with a text, and where in it.
pub(super) struct Fault {
    pub at: usize,
    pub reason: String,
}

/// The settings in a text that can be used, and what is wrong with the others; none where every one can.
pub(super) fn read(text: &str) -> (Config, Vec<Fault>) {
    if let Ok(config) = toml::from_str(text) {
        return (config, Vec::new());
    }
    let mut found = Found { faults: Vec::new() };
    let (text, mut is_gate_lost) = found.lines_of_toml(text);
    // What is no TOML now is told already, or more than is told of one file.
    let table = DeTable::parse_recoverable(&text).0.into_inner();
    let has_gate = table.contains_key("gate");
    let kept = found.kept(table, &[]);
    is_gate_lost |= has_gate && !kept.contains_key("gate");
    let config = Config::deserialize(Deserializer::from(spanned(kept)));
    // Each was tried by itself, and none of them says what another may be.
    let mut config = config.unwrap_or_else(|error| {
        found.tell(&error);
        Config::default()
    });
    // What is said of the gate and cannot be read may be the strictest.
    config.gate = if is_gate_lost { Some(GateMode::Enforce) } else { config.gate };
    (config, found.faults)
}

struct Found {
    faults: Vec<Fault>,
}

impl Found {
    fn tell(&mut self, error: &Error) {
        if self.faults.len() < FAULTS_MAX {
            let at = error.span().map_or(0, |Range { start, .. }| start);
            self.faults.push(Fault { at, reason: error.message().to_owned() });
        }
    }

    /// The text with blanks in the place of each line that is no TOML, so that places in it stay what they
    /// were; and whether such a line begins as the gate's does.
    fn lines_of_toml(&mut self, text: &str) -> (String, bool) {
        let (mut bytes, mut has_gate) = (text.as_bytes().to_vec(), false);
        for _ in 0..FAULTS_MAX {
            let text = String::from_utf8_lossy(&bytes);
            let Err(error) = DeTable::parse(&text) else { break };
            self.tell(&error);
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let start = text.as_bytes()[..at].iter().rposition(|&byte| byte == b'\n');
            let start = start.map_or(0, |end| end + 1);
            let length = text.as_bytes()[start..].iter().take_while(|&&byte| byte != b'\n').count();
            let line = start..start + length;
            has_gate |= text.as_bytes()[line.clone()].trim_ascii_start().starts_with(b"gate");
            drop(text);
            bytes[line].fill(b' ');
        }
        (String::from_utf8_lossy(&bytes).into_owned(), has_gate)
    }

    /// What of a table can be used; `above` are the names of the tables that it lies in.
    fn kept<'t>(&mut self, table: DeTable<'t>, above: &[Spanned<Name<'t>>]) -> DeTable<'t> {
        let mut kept = DeTable::new();
        for (name, value) in table {
            let span = value.span();
            let value = match value.into_inner() {
                DeValue::Table(inner) => {
                    // A table that is not known is one fault, whatever it holds.
                    let empty = DeValue::Table(DeTable::new());
                    if !self.is_usable(above, &name, Spanned::new(span.clone(), empty)) {
                        continue;
                    }
                    let above: Vec<_> = above.iter().cloned().chain([name.clone()]).collect();
                    DeValue::Table(self.kept(inner, &above))
                }
                DeValue::Array(list) if list.iter().any(|it| it.get_ref().is_table()) => {
                    let mut usable = DeArray::new();
                    for one in list {
                        let mut alone = DeArray::new();
                        alone.push(one.clone());
                        let alone = Spanned::new(one.span(), DeValue::Array(alone));
                        if self.is_usable(above, &name, alone) {
                            usable.push(one);
                        }
                    }
                    DeValue::Array(usable)
                }
                value => {
                    if !self.is_usable(above, &name, Spanned::new(span.clone(), value.clone())) {
                        continue;
                    }
                    value
                }
            };
            kept.insert(name, Spanned::new(span, value));
        }
        kept
    }

    /// Whether one setting can be used; tells what is wrong with it where not.
    fn is_usable<'t>(
        &mut self,
        above: &[Spanned<Name<'t>>],
        name: &Spanned<Name<'t>>,
        value: Spanned<DeValue<'t>>,
    ) -> bool {
        let span = value.span();
        let mut whole = DeTable::new();
        whole.insert(name.clone(), value);
        for name in above.iter().rev() {
            let inner = Spanned::new(span.clone(), DeValue::Table(whole));
            whole = DeTable::new();
            whole.insert(name.clone(), inner);
        }
        let tried = Config::deserialize(Deserializer::from(spanned(whole)));
        tried.map_err(|error| self.tell(&error)).is_ok()
    }
}

type Name<'t> = toml::de::DeString<'t>;

fn spanned(table: DeTable<'_>) -> Spanned<DeTable<'_>> {
    Spanned::new(0..0, table)
}
