//! What follows what was recorded, where the user's settings say so: a checkpoint, and its way off the machine.

use super::sink;
use crate::cli::{Context, with_causes};
use crate::journal::Project;
use crate::journal::tlog::{Automatic, KeyKind, Occasion, sign_by_itself};

/// What was recorded stands, whatever becomes of this.
pub fn follow(project: &Project, context: &mut Context) {
    let why = match sign_by_itself(project, Occasion::Recorded) {
        Ok(Automatic::Signed | Automatic::No) => None,
        Ok(Automatic::Asks(KeyKind::Ssh)) => Some("ssh has the key".to_owned()),
        Ok(Automatic::Asks(_)) => Some("the key has a passphrase".to_owned()),
        Ok(Automatic::Many) => Some("it would take long".to_owned()),
        Err(error) => Some(with_causes(&error)),
    };
    if let Some(why) = why {
        let next = "annals checkpoint signs one";
        context.output.note(format_args!("no checkpoint was signed by itself, {why}: {next}"));
    }
    if let Err(error) = sink::send(project, false, context) {
        let (said, _) = error.said();
        context.output.note(format_args!("the checkpoint did not leave the machine: {said}"));
    }
}
