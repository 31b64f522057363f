//! The compile phase of a plan.

use super::PlannedCommand;
use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;

/// `compile`: `{build_plan, commands}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilePlan {
    pub commands: Vec<PlannedCommand>,
    pub language: Option<String>,
    /// `build_plan.compiler_selected`; like all of `build_plan` it may be missing.
    pub compiler: Option<String>,
    pub cflags: Vec<String>,
    pub ldflags: Vec<String>,
    /// The folder to compile in, from the workspace's root or by its name for it.
    pub workdir: Option<String>,
    pub output: Option<String>,
}

impl CompilePlan {
    pub(super) fn read(section: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let Some(section) = section else { return Ok(Self::default()) };
        section.object("an object with `build_plan` and `commands`")?;
        let commands = PlannedCommand::list(section)?;
        let Some(plan) = section.member("build_plan") else {
            return Ok(Self { commands, ..Self::default() });
        };
        plan.object("an object with what is built, and by which compiler")?;
        let text = |name: &str| plan.member(name).map(|field| field.text()).transpose();
        let compiler = text("compiler_selected")?.filter(|name| !name.trim().is_empty());
        Ok(Self {
            commands,
            compiler,
            language: text("language")?,
            cflags: flags(&plan, "cflags")?,
            ldflags: flags(&plan, "ldflags")?,
            workdir: text("workdir")?,
            output: text("output")?,
        })
    }
}

/// A list of flags, or one text of them.
fn flags(plan: &Field<'_>, name: &str) -> Result<Vec<String>, ReplyError> {
    let Some(field) = plan.member(name) else { return Ok(Vec::new()) };
    field.texts()
}
