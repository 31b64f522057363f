//! `annals pipe`: every operation for a program in another language, as JSON lines.

use super::{Context, Exit, Result};

/// Every operation as JSON lines, for agents in any language
///
/// Each line of standard input is a request, {"id": 1, "op": "record_execution", "args": {…}}; `id`
/// is any JSON scalar, `session` may name another session than the pipe's. Each is answered by one
/// line, in order: {"id": 1, "ok": true, "result": …, "sequence": 7} once it is durable (`sequence`
/// is its last event, where it recorded any; `incomplete` lists what the journal lacks, where the
/// answer may lack it too), or {"id": 1, "ok": false, "error": {"kind": …, "message": …,
/// "hint": …}}. The first line is a greeting with the protocol's version and the names
/// of all operations; {"op": "help"} tells what each takes. What a program sends without waiting for
/// answers shares commits. The end of the input, and SIGTERM, end it when all is answered and the
/// stores are caught up. clients/ has one-file clients in Python and TypeScript.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The session that requests are for [default: ANNALS_SESSION, else that of calls without]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let session = args.session.filter(|name| !name.is_empty()).or_else(|| context.session.clone());
    let project = context.project()?;
    (context.surfaces.pipe)(session.as_deref(), &project, context)?;
    super::checkpoint::by_itself::follow(&project, context);
    Ok(Exit::Fine)
}
