//! Takes our hooks out of a settings text, and nothing else.

use std::ops::Range;

use super::document::{At, Document, Shape, Value};
use super::{Agent, Edit, HookLine, SettingsFault, apply, install};

#[derive(Clone, Debug)]
pub struct Standing {
    pub event: String,
    pub line: HookLine,
    pub command: Range<usize>,
    pub timeout: Option<(Range<usize>, u64)>,
}

impl Standing {
    /// Whether it asks for more time than its agent ever gives: Codex warns of that at every start.
    pub fn waits_too_long(&self) -> bool {
        let own_s = u64::from(self.line.agent.timeout_s(&self.event));
        own_s < u64::from(self.line.agent.timeout_s(""))
            && self.timeout_s().is_some_and(|s| s > own_s)
    }

    fn timeout_s(&self) -> Option<u64> {
        self.timeout.as_ref().map(|(_, seconds)| *seconds)
    }
}

pub fn standing(text: &str, agent: Agent) -> Result<Vec<Standing>, At> {
    let document = Document::parse(text)?;
    let mut found = Vec::new();
    let Some(hooks) = hooks(&document)? else { return Ok(found) };
    for member in hooks.members() {
        for group in member.value.items() {
            let Some(list) = group.get("hooks") else { continue };
            for hook in list.value.items() {
                let Some((command, line)) = our(hook, agent) else { continue };
                let place = hook.get("timeout").map(|timeout| timeout.value.place.clone());
                // What is no number of seconds is left as it is.
                let seconds = place.and_then(|it| Some((it.clone(), text.get(it)?.parse().ok()?)));
                let event = member.key.clone();
                found.push(Standing { event, line, command, timeout: seconds });
            }
        }
    }
    Ok(found)
}

/// The member `hooks` of a settings text, checked to have the shape that agents read.
pub(super) fn hooks<'d>(document: &'d Document<'_>) -> Result<Option<&'d Value>, At> {
    let Some(root) = &document.root else { return Ok(None) };
    object(root, "what is in the file")?;
    let Some(hooks) = root.get("hooks") else { return Ok(None) };
    object(&hooks.value, "\"hooks\"")?;
    for member in hooks.value.members() {
        let place = &member.value.place;
        if !document.text[place.clone()].starts_with('[') {
            let what = format!("{:?}", member.key);
            return Err((place.start, SettingsFault::Shape { what, wanted: "a list" }));
        }
    }
    Ok(Some(&hooks.value))
}

fn object(value: &Value, what: &str) -> Result<(), At> {
    let super::document::Shape::Object(members) = &value.shape else {
        let fault = SettingsFault::Shape { what: what.to_owned(), wanted: "an object" };
        return Err((value.place.start, fault));
    };
    for (at, member) in members.iter().enumerate() {
        if members[..at].iter().any(|other| other.key == member.key) {
            return Err((member.start, SettingsFault::Twice { key: member.key.clone() }));
        }
    }
    Ok(())
}

pub(super) fn our(hook: &Value, agent: Agent) -> Option<(Range<usize>, HookLine)> {
    let command = &hook.get("command")?.value;
    Some((command.place.clone(), HookLine::parse(command.text()?, agent)?))
}

/// A settings text without our hooks; `None` where there are none in it. What is empty afterwards is
/// taken out too, unless `before`, the text as it was before they were put in, had it.
pub fn remove(text: &str, agent: Agent, before: Option<&str>) -> Result<Option<String>, At> {
    if standing(text, agent)?.is_empty() {
        return Ok(None);
    }
    if let Some(before) = before
        && made_from(Some(before), text, agent)
    {
        return Ok(Some(before.to_owned()));
    }
    let document = Document::parse(text)?;
    let (Some(root), Some(hooks)) = (&document.root, hooks(&document)?) else { return Ok(None) };
    let kept = Kept::of(before);
    let mut edits = Vec::new();
    let mut gone = Vec::new();
    for member in hooks.members() {
        let groups = member.value.items();
        let cut: Vec<bool> = groups.iter().map(|group| is_all_ours(group, agent)).collect();
        let empty = kept.event(&member.key);
        let vanishes = !cut.is_empty() && cut.iter().all(|cut| *cut) && empty.is_none();
        gone.push(vanishes);
        if vanishes {
            continue;
        }
        edits.extend(cuts(&member.value, &cut, empty.unwrap_or_default()));
        for (group, _) in groups.iter().zip(&cut).filter(|(_, cut)| !**cut) {
            let Some(list) = group.get("hooks") else { continue };
            let cut: Vec<bool> =
                list.value.items().iter().map(|hook| our(hook, agent).is_some()).collect();
            edits.extend(cuts(&list.value, &cut, ""));
        }
    }
    let all = gone.iter().all(|gone| *gone);
    match kept.hooks() {
        None if all => {
            let cut: Vec<bool> = root.members().iter().map(|it| it.key == "hooks").collect();
            edits = cuts(root, &cut, kept.root().unwrap_or_default());
        }
        empty => edits.extend(cuts(hooks, &gone, empty.unwrap_or_default())),
    }
    Ok(Some(apply(text, edits)))
}

/// Whether a text is what installing our hooks made of `before` (`None`: of no file).
pub fn made_from(before: Option<&str>, text: &str, agent: Agent) -> bool {
    let Ok(found) = standing(text, agent) else { return false };
    let Some(HookLine { program, mode, .. }) = found.first().map(|it| it.line.clone()) else {
        return false;
    };
    let before = before.unwrap_or_default();
    let line = HookLine { agent, program, mode };
    let is_bare = standing(before, agent).is_ok_and(|found| found.is_empty());
    is_bare && install(before, &line, false).is_ok_and(|made| made.text == text)
}

fn is_all_ours(group: &Value, agent: Agent) -> bool {
    let hooks = group.get("hooks").map_or(&[][..], |hooks| hooks.value.items());
    !hooks.is_empty() && hooks.iter().all(|hook| our(hook, agent).is_some())
}

/// The edits that take children out of a container with their commas; where none is left, `empty`
/// is what stands between its brackets.
fn cuts(container: &Value, cut: &[bool], empty: &str) -> Vec<Edit> {
    let children = container.children();
    if cut.iter().all(|cut| *cut) && !cut.is_empty() {
        let Range { start, end } = container.inner();
        return vec![Edit { start, end, text: empty.to_owned() }];
    }
    let first_kept = cut.iter().position(|cut| !*cut).unwrap_or(0);
    let mut edits = Vec::new();
    if first_kept > 0 {
        edits.push(Edit::cut(children[0].start, children[first_kept].start));
    }
    for at in first_kept + 1..children.len() {
        if cut[at] {
            // From behind the one before, so that the last one keeps the space after it.
            edits.push(Edit::cut(children[at - 1].end, children[at].end));
        }
    }
    edits
}

/// What a text had before our hooks came: containers without anything in them stay.
struct Kept<'t>(Option<Document<'t>>);

impl<'t> Kept<'t> {
    fn of(before: Option<&'t str>) -> Self {
        // What cannot be read says nothing.
        Self(before.and_then(|text| Document::parse(text).ok()))
    }

    fn root(&self) -> Option<&str> {
        self.inner(self.0.as_ref()?.root.as_ref()?)
    }

    fn hooks_value(&self) -> Option<&Value> {
        Some(&self.0.as_ref()?.root.as_ref()?.get("hooks")?.value)
    }

    fn hooks(&self) -> Option<&str> {
        self.inner(self.hooks_value()?)
    }

    fn event(&self, event: &str) -> Option<&str> {
        self.inner(&self.hooks_value()?.get(event)?.value)
    }

    /// What stands between its brackets; nothing is said of one that had contents.
    fn inner(&self, value: &Value) -> Option<&str> {
        let is_container = matches!(value.shape, Shape::Object(_) | Shape::Array(_));
        let inner = self.0.as_ref()?.text.get(value.inner())?;
        is_container.then(|| if inner.trim_ascii().is_empty() { inner } else { "" })
    }
}
