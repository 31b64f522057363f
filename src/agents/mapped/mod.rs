//! JSON lines of any agent, by a mapping that a person wrote: which part of a line is what.

mod mapping;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;

use serde_json::Value;

use super::import::Flaw;
use super::import::item::{Call, CallResult, Head, Message, Part, Prompt, TranscriptRecord};
use super::import::log_source::{LogSource, Reads};
use super::import::loose::{Number, Text};
use super::import::odd::Stamp;
use super::import::source_file::SourceFile;
use super::import::told;
use super::import::whole::{TextLines, WholeLog, read_text};
use mapping::{Calls, Results, TimeFormat, When};

pub use mapping::{Mapping, MappingError, Pointer};

/// Never sniffed: whose a file is, who gives the mapping says.
pub const SOURCE: LogSource = LogSource {
    name: "mapped",
    title: "JSON lines by a mapping",
    also: None,
    endings: &[".jsonl"],
    is_of: |_| false,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let mapping = file.mapping.clone().ok_or(io::ErrorKind::InvalidInput)?;
    read_text(file, Box::new(Mapped { mapping, file: file.whole_name() }))
}

struct Mapped {
    mapping: Arc<Mapping>,
    /// The session of lines that name none.
    file: String,
}

/// One line, and what it is known by.
struct Line<'a> {
    value: &'a Value,
    number: u64,
    session: String,
}

impl TextLines for Mapped {
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let value: Value = serde_json::from_str(line).map_err(|error| {
            let at = error.column() as u64;
            if error.is_eof() { Flaw::Torn } else { Flaw::NotJson { at } }
        })?;
        if !value.is_object() {
            return Err(Flaw::NotARecord);
        }
        let mapping = Arc::clone(&self.mapping);
        let text = |pointer: &Option<Pointer>| pointer.as_ref().and_then(|it| it.text(&value));
        let session = text(&mapping.session).unwrap_or_else(|| self.file.clone());
        let line = Line { value: &value, number, session: session.clone() };
        let parts = line.parts(&mapping)?;
        let head = Head {
            session: Some(session),
            cwd: text(&mapping.cwd),
            model: text(&mapping.model),
            ..said(&mapping.time, &value)
                .map(|it| time(it, mapping.time_format))
                .unwrap_or_default()
        };
        out.push(TranscriptRecord { line: number, head, parts });
        Ok(())
    }
}

impl Line<'_> {
    fn parts(&self, mapping: &Mapping) -> Result<Vec<Part>, Flaw> {
        let mut parts = Vec::new();
        let text = |pointer: &Pointer| pointer.text(self.value).filter(|it| !it.trim().is_empty());
        let place = || Some(format!("{}#{}", self.session, self.number));
        if let Some(prompt) = &mapping.prompt
            && self.is(&prompt.when)
            && let Some(text) = text(&prompt.text)
        {
            parts.push(Part::Prompt(Prompt { text, place: place(), ..Prompt::default() }));
        }
        if let Some(message) = &mapping.message
            && self.is(&message.when)
            && let Some(text) = text(&message.text)
        {
            let said = Message { id: place(), text, ..Message::default() };
            parts.push(Part::Said(Box::new(said)));
        }
        if let Some(call) = &mapping.call
            && self.is(&call.when)
        {
            parts.push(Part::Call(self.call(mapping, call)?));
        }
        if let Some(result) = &mapping.result
            && self.is(&result.when)
        {
            parts.push(Part::Result(self.result(mapping, result)?));
        }
        Ok(parts)
    }

    fn is(&self, when: &When) -> bool {
        when.iter().all(|(pointer, wanted)| pointer.text(self.value).as_ref() == Some(wanted))
    }

    /// The call's id: one that none has is known by its line.
    fn id(&self, pointer: Option<&Pointer>) -> Result<String, Flaw> {
        match pointer {
            Some(pointer) => pointer.text(self.value).ok_or(Flaw::NotARecord),
            None => Ok(format!("line {}", self.number)),
        }
    }

    fn call(&self, mapping: &Mapping, call: &Calls) -> Result<Call, Flaw> {
        let id = self.id(call.id.as_ref())?;
        let native = call.tool.text(self.value).ok_or(Flaw::NotARecord)?;
        let tool = mapping.tools.get(&native);
        let name = tool.unwrap_or(&native);
        let arguments = call.arguments.as_ref().and_then(|it| it.of(self.value));
        let key = if name == "bash_exec" { "command" } else { "arguments" };
        let arguments = match arguments {
            None | Some(Value::Null) => "{}".to_owned(),
            Some(Value::Object(object)) => Value::Object(object.clone()).to_string(),
            Some(other) => serde_json::json!({ key: other }).to_string(),
        };
        let told = told::call(id, Some(self.session.clone()), name, arguments);
        Ok(Call { native_tool: native, ..told })
    }

    fn result(&self, mapping: &Mapping, result: &Results) -> Result<CallResult, Flaw> {
        let of_call = mapping.call.as_ref().and_then(|call| call.id.as_ref());
        let id = self.id(result.id.as_ref().or(of_call))?;
        let of = |pointer: &Option<Pointer>| said(pointer, self.value);
        let printed = result.output.as_ref().and_then(|it| it.text(self.value));
        let error = result.error.as_ref().and_then(|it| it.text(self.value));
        let error = error.filter(|text| !text.is_empty());
        // What is no number there is no end that anybody knows.
        let exit_code = of(&result.exit_code).map(whole).transpose()?;
        let is_ok = of(&result.success).map(|said| match said {
            Value::Bool(said) => *said,
            other => result.success_is.contains(&mapping::as_text(other).unwrap_or_default()),
        });
        let is_error = is_ok == Some(false) || (is_ok.is_none() && error.is_some());
        let scope = Some(self.session.clone());
        let mut told = told::result(id, scope, exit_code, is_error, printed);
        if let Some(error) = error.filter(|_| told.error.is_some()) {
            told.error = Some(super::import::head_of(&error).to_owned());
        }
        let ms = |unit_ms: f64| move |value: &Value| Number(value.as_f64()).to_ms(unit_ms);
        let duration_ms = of(&result.duration_ms).and_then(ms(1.0));
        told.duration_ms = duration_ms.or_else(|| of(&result.duration_s).and_then(ms(1000.0)));
        Ok(told)
    }
}

/// What stands at a pointer: null says no more than nothing.
fn said<'v>(pointer: &Option<Pointer>, value: &'v Value) -> Option<&'v Value> {
    pointer.as_ref()?.of(value).filter(|it| !it.is_null())
}

/// A number, or a text that is one.
fn whole(value: &Value) -> Result<i32, Flaw> {
    let text = mapping::as_text(value).unwrap_or_default();
    text.trim().parse().map_err(|_| Flaw::NotARecord)
}

fn time(value: &Value, format: TimeFormat) -> Head {
    let words = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let at_ms = match format {
        TimeFormat::Rfc3339 => Text(value.as_str().map(Into::into)).to_unix_ms(),
        TimeFormat::UnixS => Number(value.as_f64()).to_ms(1000.0),
        TimeFormat::UnixMs => Number(value.as_f64()).to_ms(1.0),
    };
    Head::told(at_ms, &Stamp(Some(words.into())))
}
