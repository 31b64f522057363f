//! Whose an operation on memory is: what its events say of that.

use crate::cli::Context;
use crate::event::{ExecutionId, MemoryDoor, MemoryOrigin};
use crate::memory::Asker;

/// Whose an operation is
#[derive(clap::Args, Clone, Debug, Default)]
pub struct OriginArgs {
    /// The run that it belongs to
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// The node that it belongs to (of a fork: the one that the branch stands for)
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// The phase that it belongs to
    #[arg(long, value_name = "PHASE")]
    phase: Option<String>,
    /// The execution during which it happens, a UUID
    #[arg(long, value_name = "UUID", value_parser = execution)]
    execution: Option<ExecutionId>,
}

fn execution(text: &str) -> Result<ExecutionId, String> {
    ExecutionId::parse(text).ok_or_else(|| "must be a UUID, v4 or v7".to_owned())
}

impl OriginArgs {
    /// The node that it belongs to.
    pub fn node(&self) -> Option<&str> {
        self.node.as_deref()
    }

    /// The phase that it belongs to.
    pub fn phase(&self) -> Option<&str> {
        self.phase.as_deref()
    }

    /// The run that it belongs to.
    pub fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// Who asks: of the session of ANNALS_SESSION, of nobody's without.
    pub fn asker(&self, context: &Context) -> Asker {
        let origin = MemoryOrigin {
            by: MemoryDoor::Api,
            run: self.run.clone(),
            node: self.node.clone(),
            phase: self.phase.clone(),
            execution: self.execution,
        };
        let session = context.session.as_ref().map(|_| context.session_id());
        Asker { session, origin }
    }
}
