//! Whether a command line surely changes files that may be the project's, and where in it.

use super::{Joint, Script, ShellEdits, Simple, write};

impl Script {
    /// Whether it surely changes files that may be the project's.
    pub fn edits(&self) -> bool {
        let ShellEdits { sure, asked, .. } = ShellEdits::of_script(self);
        sure.iter().any(|it| write::is_ours(it)) || !asked.is_empty()
    }

    /// Whether behind this command it surely changes such a file, other than those of before and what that prints
    /// into.
    pub fn edits_behind(&self, at: usize) -> bool {
        let piped = self.commands[at..].iter().take_while(|it| it.joint == Joint::Pipe).count();
        let end = self.commands.len().min(at + piped + 1);
        if end == self.commands.len() && piped == 0 {
            return false;
        }
        let before = Self { commands: self.commands[..end].to_vec(), ..self.clone() };
        let known = ShellEdits::of_script(&before).sure;
        let is_printed = |file: &str| {
            let into = |it: &Simple| {
                let teed = it.program().filter(|it| it.name == "tee");
                it.outputs.iter().any(|it| file.ends_with(it.as_str()))
                    || teed.is_some_and(|it| it.operands().any(|it| file.ends_with(it)))
            };
            before.commands.iter().any(into)
        };
        let sure = ShellEdits::of_script(self).sure;
        sure.iter().any(|it| write::is_ours(it) && !known.contains(it) && !is_printed(it))
    }
}
