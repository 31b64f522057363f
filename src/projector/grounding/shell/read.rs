//! Which commands show the timeline.

use super::Script;
use super::program::Program;

impl Script {
    /// Whether it shows the timeline: `annals timeline`, or `annals tool memory_query`, with its
    /// output where the agent sees it.
    pub fn reads_timeline(&self) -> bool {
        self.commands.iter().filter(|command| command.outputs.is_empty()).any(|command| {
            let program = Program::of(&command.words).filter(|program| program.name == "annals");
            program.is_some_and(|program| {
                let helps = program.has("--help") || program.has("-h");
                let asks = program.arguments.iter().any(|word| word == "memory_query");
                match program.verb() {
                    Some("timeline") => !helps,
                    Some("tool") => asks && !helps,
                    _ => false,
                }
            })
        })
    }
}
