//! Where a file of a folder store lies: names that lead nowhere else, whatever they were made of.

use std::fmt;

/// Bytes of a name that is taken as it is.
const NAME_BYTES_MAX: usize = 120;
/// Bytes that are kept of a name that is not.
const KEPT_BYTES_MAX: usize = 100;
/// Bytes that a file system takes.
const ANY_NAME_BYTES_MAX: usize = 255;

/// A file's way from its store's folder down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FilePlace {
    folders: Vec<String>,
    name: String,
}

impl FilePlace {
    /// The file `stem.extension` in these folders, each name made safe. Two different ways never
    /// lead to one file.
    pub fn of(folders: &[&str], stem: &str, extension: &str) -> Self {
        Self {
            folders: folders.iter().map(|folder| safe(folder)).collect(),
            name: format!("{}.{extension}", safe(stem)),
        }
    }

    /// Reads what `Display` wrote; `None` for what no place of ours could be.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts: Vec<String> = text.split('/').map(str::to_owned).collect();
        let name = parts.pop()?;
        let is_plain = |part: &String| {
            let length = part.len();
            !part.starts_with('.') && (1..=ANY_NAME_BYTES_MAX).contains(&length)
        };
        let plain = parts.iter().chain([&name]).all(is_plain) && !text.contains('\0');
        plain.then_some(Self { folders: parts, name })
    }

    pub(super) fn folders(&self) -> &[String] {
        &self.folders
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folders.iter().try_for_each(|folder| write!(f, "{folder}/"))?;
        f.write_str(&self.name)
    }
}

/// A name that is one part of a path, hidden from nobody, and another for another name: what had to
/// be changed ends in a hash of what it was, behind a sign that no unchanged name has.
fn safe(name: &str) -> String {
    let is_whole =
        (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.starts_with('.') && is_kept_all(name);
    if is_whole {
        return name.to_owned();
    }
    let hash = blake3::hash(name.as_bytes()).to_hex();
    let mut kept = String::with_capacity(NAME_BYTES_MAX);
    for letter in name.chars() {
        if kept.len() + letter.len_utf8() > KEPT_BYTES_MAX {
            break;
        }
        let first = kept.is_empty() && letter == '.';
        kept.push(if is_kept(letter) && !first { letter } else { '_' });
    }
    format!("{kept}~{}", &hash[..16])
}

fn is_kept_all(name: &str) -> bool {
    name.chars().all(is_kept)
}

fn is_kept(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+' | '=' | ',' | '@' | ' ')
}
