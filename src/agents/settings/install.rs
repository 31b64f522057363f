//! Puts our hooks into a settings text, in the text's own style.

use std::ops::Range;

use super::document::{At, Document, Value};
use super::remove::hooks;
use super::{Edit, HookLine, Standing, apply, standing};

#[derive(Clone, Debug)]
pub struct Installation {
    pub text: String,
    pub lines: Vec<String>,
    pub added: Vec<&'static str>,
    /// Events whose hook is another mode's, or asks for more time than its agent gives, and was changed.
    pub changed: Vec<String>,
    /// Hooks of another mode are of the line's now.
    pub switched: bool,
    pub found: Vec<Standing>,
}

/// A settings text with the line in it for each of its agent's events. What is there already is
/// left as it is, but where `switch` asks for the line's mode.
pub fn install(text: &str, line: &HookLine, switch: bool) -> Result<Installation, At> {
    let found = standing(text, line.agent)?;
    let is_there = |event: &str| found.iter().any(|it| it.event == event);
    let added: Vec<_> =
        line.agent.events().iter().copied().filter(|event| !is_there(event)).collect();
    let mut edits = Vec::new();
    let mut changed = Vec::new();
    for there in found.iter().filter(|it| switch && it.line.mode != line.mode) {
        let other = HookLine { mode: line.mode, ..there.line.clone() };
        let text = quoted(&other.command());
        edits.push(Edit { start: there.command.start, end: there.command.end, text });
        changed.push(there.event.clone());
    }
    let switched = !changed.is_empty();
    for there in found.iter().filter(|it| it.waits_too_long()) {
        let Some((place, _)) = &there.timeout else { continue };
        let text = there.line.agent.timeout_s(&there.event).to_string();
        edits.push(Edit { start: place.start, end: place.end, text });
        if !changed.contains(&there.event) {
            changed.push(there.event.clone());
        }
    }
    let document = Document::parse(text)?;
    add(&document, &added, line, &mut edits)?;
    let written = edits.iter().flat_map(|edit| edit.text.lines());
    let lines = written.map(|line| line.trim_end_matches([',', '\r']).trim_start_matches(','));
    let lines = lines.filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    Ok(Installation { text: apply(text, edits), lines, added, changed, switched, found })
}

fn add(
    document: &Document<'_>,
    events: &[&str],
    line: &HookLine,
    edits: &mut Vec<Edit>,
) -> Result<(), At> {
    let style = Style::of(document);
    let group = |event: &str| style.group(line, event);
    let member = |event: &&str| format!("{}{}[{}]", quoted(event), style.colon(), group(event));
    let Some(root) = &document.root else {
        let (newline, unit) = (style.newline, &style.unit);
        let members: Vec<_> =
            events.iter().map(|event| format!("{newline}{unit}{unit}{}", member(event))).collect();
        let members = members.join(",");
        let text =
            format!("{{{newline}{unit}\"hooks\": {{{members}{newline}{unit}}}{newline}}}{newline}");
        // A byte order mark stays the first thing.
        let start = document.text.len() - document.text.trim_start_matches('\u{feff}').len();
        edits.push(Edit { start, end: document.text.len(), text });
        return Ok(());
    };
    let Some(hooks) = hooks(document)? else {
        let indent = style.indent_in(root, document.text);
        let members: Vec<_> = events.iter().map(member).collect();
        let text = match &indent {
            Some(indent) => {
                let (newline, unit) = (style.newline, &style.unit);
                let members = members.join(&format!(",{newline}{indent}{unit}"));
                format!("\"hooks\": {{{newline}{indent}{unit}{members}{newline}{indent}}}")
            }
            None => format!(
                "\"hooks\"{}{{{}}}",
                style.colon(),
                members.join(&format!(",{}", style.gap))
            ),
        };
        edits.push(style.append(root, document.text, &[text]));
        return Ok(());
    };
    let (mut missing, mut there) = (Vec::new(), Vec::new());
    for event in events {
        match hooks.get(event) {
            Some(found) => there.push((found, group(event))),
            None => missing.push(member(event)),
        }
    }
    for (found, group) in there {
        edits.push(style.append(&found.value, document.text, &[group]));
    }
    if !missing.is_empty() {
        edits.push(style.append(hooks, document.text, &missing));
    }
    Ok(())
}

struct Style {
    newline: &'static str,
    /// One level of indentation.
    unit: String,
    /// What stands after a colon or a comma on a line.
    gap: &'static str,
}

impl Style {
    fn of(document: &Document<'_>) -> Self {
        let text = document.text;
        let crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        let root = document.root.as_ref();
        let first = root.and_then(|root| root.children().first().cloned());
        let unit = first.as_ref().and_then(|first| own_line(text, first.start));
        let unit = unit.filter(|unit| !unit.is_empty()).unwrap_or("  ").to_owned();
        let tight = root
            .and_then(|root| root.members().first())
            .is_some_and(|member| text[..member.value.place.start].ends_with(':'));
        Self { newline: if crlf { "\r\n" } else { "\n" }, unit, gap: if tight { "" } else { " " } }
    }

    fn colon(&self) -> String {
        format!(":{}", self.gap)
    }

    fn group(&self, line: &HookLine, event: &str) -> String {
        let timeout_s = line.agent.timeout_s(event);
        let (colon, gap, command) = (self.colon(), self.gap, quoted(&line.command()));
        format!(
            "{{\"hooks\"{colon}[{{\"type\"{colon}\"command\",{gap}\"command\"{colon}{command},\
             {gap}\"timeout\"{colon}{timeout_s}}}]}}"
        )
    }

    /// The indentation of a container's children; `None` where they stand on its own line.
    fn indent_in(&self, container: &Value, text: &str) -> Option<String> {
        match container.children().first() {
            Some(first) => own_line(text, first.start).map(str::to_owned),
            None if !text.contains('\n') && !is_root(text, container) => None,
            None => {
                let before = &text[..container.place.start];
                let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
                let line = line.trim_start_matches('\u{feff}');
                let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
                Some(format!("{indent}{}", self.unit))
            }
        }
    }

    fn append(&self, container: &Value, text: &str, children: &[String]) -> Edit {
        let indent = self.indent_in(container, text);
        let lead = match &indent {
            Some(indent) => format!("{}{indent}", self.newline),
            None => self.gap.to_owned(),
        };
        if let Some(Range { end, .. }) = container.children().last() {
            let text = children.iter().map(|child| format!(",{lead}{child}")).collect();
            return Edit::insert(*end, text);
        }
        let inner = &text[container.inner()];
        let close = match &indent {
            Some(indent) if !inner.contains('\n') => {
                format!("{}{}", self.newline, indent.strip_suffix(&self.unit).unwrap_or(indent))
            }
            _ => String::new(),
        };
        let children = children.join(&format!(",{lead}"));
        Edit::insert(container.inner().start, format!("{lead}{children}{close}"))
    }
}

/// Whether nothing stands before it: then a file of one line may become one of several.
fn is_root(text: &str, container: &Value) -> bool {
    text[..container.place.start].trim_start_matches('\u{feff}').trim_ascii().is_empty()
}

fn own_line(text: &str, at: usize) -> Option<&str> {
    let before = &text[..at];
    let line = &before[before.rfind('\n')? + 1..];
    line.bytes().all(|byte| byte == b' ' || byte == b'\t').then_some(line)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
