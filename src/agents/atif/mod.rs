//! ATIF trajectories (Harbor's Agent Trajectory Interchange Format, RFC 0001, v1.0 and on): one JSON
//! document whose `steps` are prompts and answers, with calls and what was observed of them. [`written`] writes a
//! session as one.

mod own;
mod step;
pub mod written;

use std::io;

use serde::Deserialize;

use super::import::item::{Head, Part, Title, TranscriptRecord};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::loose::{Text, object, parsed};
use super::import::source_file::SourceFile;
use super::import::whole::{Document, Member, WholeLog, read_document};
use own::OfSession;
use step::{Known, Step};

pub const SOURCE: LogSource = LogSource {
    name: "atif",
    title: "ATIF",
    also: None,
    endings: &[".json"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn is_of(beginning: &Beginning<'_>) -> bool {
    let keys = beginning.outline();
    let version = keys.text("schema_version").is_some_and(|version| version.starts_with("ATIF-"));
    // Which version it is may stand behind the steps.
    version
        || (!keys.is_list() && keys.has_all(&["steps.step_id", "steps.source", "steps.message"]))
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let trajectory = Trajectory { session: file.whole_name(), ..Trajectory::default() };
    read_document(file, Box::new(trajectory))
}

#[derive(Debug, Default)]
struct Trajectory {
    /// The file's name, until the trajectory names one.
    session: String,
    /// Our own id of it.
    own: Option<String>,
    agent: Option<String>,
    model: Option<String>,
    cwd: Option<String>,
    branch: Option<String>,
    title: Option<String>,
    known: Known,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Agent<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    version: Text<'a>,
    model_name: Text<'a>,
}

impl Trajectory {
    fn session(&self) -> Option<String> {
        self.own.clone().or_else(|| Some(self.session.clone()))
    }
}

impl Document for Trajectory {
    fn lists(&self) -> &'static [&'static str] {
        &["steps"]
    }

    /// Whose steps they are may stand behind them.
    fn surveys(&self) -> bool {
        true
    }

    fn survey(&mut self, member: &Member<'_>) {
        match member.key {
            "session_id" => {
                let named = parsed::<String>(member.bytes).filter(|name| !name.is_empty());
                self.session = named.unwrap_or_else(|| std::mem::take(&mut self.session));
            }
            "agent" => {
                let agent: Agent<'_> = object(member.bytes);
                let words = [agent.name.to_text(), agent.version.to_text()];
                let is_unknown = words[1].as_deref() == Some("unknown");
                let words: Vec<_> = words.into_iter().flatten().collect();
                self.agent = Some(words.join(" ")).filter(|it| !it.is_empty() && !is_unknown);
                self.model = agent.model_name.to_text();
            }
            "extra" => {
                let extra: OfSession<'_> = object(member.bytes);
                let own = extra.annals.0.unwrap_or_default();
                (self.cwd, self.branch) = (own.cwd.to_text(), own.branch.to_text());
                (self.own, self.title) = (own.session.to_text(), own.title.to_text());
            }
            _ => {}
        }
    }

    fn member(&mut self, member: &Member<'_>, out: &mut Vec<TranscriptRecord>) -> bool {
        if !member.is_element {
            return true;
        }
        let step = parsed::<Step<'_>>(member.bytes).filter(|_| member.bytes[0] == b'{');
        let Some(step) = step else { return false };
        let head = Head {
            session: self.session(),
            agent_version: self.agent.clone(),
            model: step.model(&self.model),
            cwd: self.cwd.clone(),
            branch: self.branch.clone(),
            ..Head::at(&step.timestamp)
        };
        step.read(member.number, head, &mut self.known, out);
        true
    }

    fn end(&mut self, out: &mut Vec<TranscriptRecord>) {
        self.known.held.end(out);
        if let Some(text) = self.title.take() {
            let head = Head { session: self.session(), ..Head::default() };
            let parts = vec![Part::Title(Title { text, leaf: None })];
            out.push(TranscriptRecord { line: 0, head, parts });
        }
    }
}
