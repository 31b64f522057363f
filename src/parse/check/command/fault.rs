//! What cannot be declared a check.

use super::is_idle;
use super::table::CHECKS;
use crate::parse::has_word;
use crate::parse::shell::{Program, Script};

/// Why a command's beginning cannot be declared a check; `None` where it can.
pub fn check_fault(command: &str) -> Option<&'static str> {
    let script = Script::of(command);
    let [simple] = script.commands.as_slice() else {
        return Some("it must be one command, without `&&`, `;`, `|` or a line's end");
    };
    if !simple.outputs.is_empty() || !simple.given.is_empty() {
        return Some("it must be how a command begins, without redirections");
    }
    let Some(program) = Program::of(&simple.words) else {
        return Some("it names no program");
    };
    if has_word(&CHECKS.refused.never, program.name) {
        return Some("its program ends well whatever the code is");
    }
    if has_word(&CHECKS.refused.alone, program.name) && program.arguments.is_empty() {
        return Some("it needs a word behind it: the program alone may run anything");
    }
    is_idle(&program).then_some("with these options it checks nothing")
}
