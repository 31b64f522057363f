//! `file_create`: a file that was not there.

use super::file_write::write;
use super::read;
use crate::grounding::tools::{Bench, Given, Onto, Parameter, ParameterKind, ToolError, ToolSpec};

const NAME: &str = "file_create";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Make a file that is not there yet, and the folders on the way",
    parameters: &[
        Parameter::required("path", ParameterKind::Text, "The file, from the project's root"),
        Parameter::required("content", ParameterKind::Text, "What shall be in it"),
    ],
    run,
    program: None,
};

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
    write(read(NAME, arguments)?, bench, Onto::Nothing)
}
