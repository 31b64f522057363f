//! The coding phase of a plan: the files of a workspace.

use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;
use crate::phases::limits::FILES_MAX;

/// `coding.workspace`: `{root, tree, files}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspacePlan {
    /// What the plan calls the workspace's folder; `None`: what it is called.
    pub root: Option<String>,
    /// Folders to make; one of `files` may be listed as well.
    pub tree: Vec<String>,
    pub files: Vec<PlannedFile>,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    pub path: String,
    pub content: String,
    /// Its permissions, at most `0o777`.
    pub mode: Option<u32>,
}

const FILES: &str = "a list of files, each with `path` and `content`";

impl WorkspacePlan {
    pub(super) fn read(section: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let missing = |at: &str, wants| ReplyError::MissingField { at: at.to_owned(), wants };
        let Some(section) = section else {
            return Err(missing("phase_artifacts.coding", "an object with `workspace`"));
        };
        section.object("an object with `workspace`")?;
        let Some(workspace) = section.member("workspace") else {
            let at = format!("{}.workspace", section.at);
            return Err(missing(&at, "an object with root, tree and files"));
        };
        Self::of(&workspace)
    }

    /// Reads `{root, tree, files}`.
    pub fn of(workspace: &Field<'_>) -> Result<Self, ReplyError> {
        workspace.object("an object with root, tree and files")?;
        let root = workspace.member("root").map(|root| root.text()).transpose()?;
        let tree = match workspace.member("tree") {
            None => Vec::new(),
            Some(tree) => {
                bounded(&tree)?;
                tree.texts()?
            }
        };
        let Some(files) = workspace.member("files") else {
            let at = format!("{}.files", workspace.at);
            return Err(ReplyError::MissingField { at, wants: FILES });
        };
        if !files.value.is_array() {
            return Err(files.wrong(FILES));
        }
        let read: Vec<PlannedFile> =
            bounded(&files)?.iter().map(PlannedFile::read).collect::<Result<_, _>>()?;
        Ok(Self { root, tree, files: read })
    }
}

impl PlannedFile {
    fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
        field.object("an object with `path` and `content`")?;
        let text = |name: &str, wants| match field.member(name) {
            Some(member) => member.text(),
            None => Err(ReplyError::MissingField { at: format!("{}.{name}", field.at), wants }),
        };
        if let Some(encoding) = field.member("encoding") {
            let name = encoding.text()?.to_ascii_lowercase();
            if !matches!(name.as_str(), "utf-8" | "utf8" | "ascii" | "us-ascii") {
                return Err(encoding.invalid("is not utf-8, the one encoding that is written"));
            }
        }
        let mode = field.member("mode").map(|mode| permissions(&mode)).transpose()?;
        let path = text("path", "a path inside the workspace")?;
        Ok(Self { path, content: text("content", "the file's text")?, mode })
    }
}

fn bounded<'v>(field: &Field<'v>) -> Result<Vec<Field<'v>>, ReplyError> {
    match field.value.as_array().map_or(1, Vec::len) {
        0..=FILES_MAX => field.elements(),
        count => {
            let at = field.at.clone();
            Err(ReplyError::TooMany { at, count, of: "entries", max: FILES_MAX })
        }
    }
}

/// `"0755"`, octal digits in a text. A number is refused: 420 may mean 0644 and may mean 0420.
fn permissions(field: &Field<'_>) -> Result<u32, ReplyError> {
    const WANTS: &str = "a text of octal digits, \"0644\"";
    if !field.value.is_string() {
        return Err(field.wrong(WANTS));
    }
    let digits = field.text()?;
    let digits = digits.trim().trim_start_matches("0o");
    let mode = u32::from_str_radix(digits, 8).map_err(|_| field.wrong(WANTS))?;
    match mode > 0o777 {
        true => Err(field
            .invalid("has bits above 0777: give permissions of reading, writing and running only")),
        false => Ok(mode),
    }
}
