//! Which call wrote each line of a file last.

use serde::Serialize;

use super::super::{ExecutionSummary, QueryError, Stores, list};
use super::chain::Chain;
use super::file::{File, label, placed};
use super::scope::Scope;
use super::sheet::Line;

/// A file's lines, and who wrote them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Blame {
    pub path: String,
    /// The lines are those that the record knows last: the file itself was not given.
    pub is_recorded: bool,
    pub calls: Vec<BlamedCall>,
    pub lines: Vec<BlamedLine>,
}

#[derive(Clone, Debug, Serialize)]
pub struct BlamedCall {
    /// How `annals show` takes it.
    #[serde(skip)]
    pub no: String,
    #[serde(flatten)]
    pub execution: ExecutionSummary,
    /// What the call was for: the session's last prompt before it.
    pub prompt: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlamedLine {
    pub line: usize,
    /// The call's place in the list; `null` where nobody recorded who wrote it.
    pub call: Option<usize>,
    pub text: String,
}

impl Stores {
    /// Who wrote the lines of a file last: of the text that it holds now, where that is given. `path` is
    /// told from the root, or is the end of a path that was recorded; of several the last one changed.
    pub fn blame(&self, path: &str, now: Option<&str>) -> Result<Option<Blame>, QueryError> {
        let Some(file) = self.file_named(path)? else { return Ok(None) };
        let touches = self.file_touches(&file, Scope::ALL.through)?;
        let mut chain = Chain::default();
        for (no, touch) in touches.iter().enumerate() {
            chain.take(no, self.told(touch, &file)?, true, touch.is_editor());
        }
        let lines = match now {
            Some(now) => chain.blamed(&now.lines().collect::<Vec<_>>()),
            None => chain.known(),
        };
        let mut blame = Blame { path: file.label, is_recorded: now.is_none(), ..Blame::default() };
        let mut calls: Vec<usize> = Vec::new();
        for (line, Line { text, by }) in (1..).zip(lines) {
            let call = by.map(|by| {
                calls.iter().position(|known| *known == by).unwrap_or_else(|| {
                    calls.push(by);
                    calls.len() - 1
                })
            });
            blame.lines.push(BlamedLine { line, call, text });
        }
        for no in calls {
            let touch = &touches[no];
            let Some(execution) = self.judged("1", &[], touch.execution)? else { continue };
            let prompt = self.prompt_for(execution.id)?.map(|prompt| prompt.text);
            blame.calls.push(BlamedCall { no: touch.reference(), execution, prompt });
        }
        Ok(Some(blame))
    }

    /// The file of a path among those that calls had to do with.
    fn file_named(&self, path: &str) -> Result<Option<File>, QueryError> {
        let numbers: Vec<i64> = self.file_numbers(path)?.into_iter().collect();
        let sql = format!(
            "SELECT p.path, coalesce(e.cwd, s.cwd), s.cwd FROM paths p \
             JOIN execution_paths x ON x.path = p.number JOIN executions e ON e.seq = x.execution \
             LEFT JOIN sessions s ON s.number = e.session WHERE p.number IN ({}) \
             ORDER BY x.role > 0 DESC, x.at_ms DESC, x.at_seq DESC",
            list(&numbers)
        );
        let root = self.root()?;
        let files: Vec<File> = self.index.answer(&sql, &[], |row| {
            let (path, folder, begun_in): (String, Option<String>, Option<String>) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            let place = placed(&root, folder.as_deref(), &path);
            let label = label(&place, &root, begun_in.as_deref());
            Ok(File { place, label })
        })?;
        let own = placed(&root, None, path);
        let found = files.iter().find(|file| file.place == own).or(files.first());
        Ok(found.cloned())
    }
}
