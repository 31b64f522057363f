//! A patch as an agent gave it: Codex's own form (`*** Update File: X`) or a unified one (`+++ b/X`).

/// What a patch does to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    pub path: String,
    /// Where it moves to.
    pub to: Option<String>,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Updated(Vec<Block>),
    Added(String),
    Deleted,
}

impl Default for What {
    fn default() -> Self {
        Self::Updated(Vec::new())
    }
}

/// Lines that stood one below the other, and those that came for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub old: Vec<String>,
    pub new: Vec<String>,
}

pub fn of_patch(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let is_own = text.contains("*** Begin Patch");
    let mut removed = String::new();
    for line in text.lines() {
        let begun = if is_own { own(line) } else { unified(line, &mut removed) };
        if let Some(piece) = begun {
            pieces.push(piece);
            continue;
        }
        let Some(piece) = pieces.last_mut() else { continue };
        if let Some(to) = line.strip_prefix("*** Move to: ") {
            piece.to = Some(to.trim().to_owned());
        } else if let What::Added(content) = &mut piece.what {
            if let Some(line) = line.strip_prefix('+') {
                content.push_str(line);
                content.push('\n');
            }
        } else if let What::Updated(blocks) = &mut piece.what {
            add(blocks, line);
        }
    }
    for piece in &mut pieces {
        if let What::Updated(blocks) = &mut piece.what {
            blocks.retain(|block| block.old != block.new);
        }
    }
    pieces
}

fn own(line: &str) -> Option<Piece> {
    let named = |word: &str| line.strip_prefix(word).map(|path| path.trim().to_owned());
    let updated = named("*** Update File: ").map(|path| Piece { path, ..Piece::default() });
    let added = || {
        Some(Piece { path: named("*** Add File: ")?, to: None, what: What::Added(String::new()) })
    };
    let deleted =
        || Some(Piece { path: named("*** Delete File: ")?, to: None, what: What::Deleted });
    updated.or_else(added).or_else(deleted)
}

fn unified(line: &str, removed: &mut String) -> Option<Piece> {
    let path = |text: &str, side: &str| {
        let path = text.split('\t').next().unwrap_or(text).trim();
        path.strip_prefix(side).unwrap_or(path).to_owned()
    };
    if let Some(old) = line.strip_prefix("--- ") {
        *removed = path(old, "a/");
        return None;
    }
    let new = path(line.strip_prefix("+++ ")?, "b/");
    Some(match (removed.as_str(), new.as_str()) {
        (_, "/dev/null") => Piece { path: removed.clone(), to: None, what: What::Deleted },
        ("/dev/null", _) => Piece { path: new, to: None, what: What::Added(String::new()) },
        _ => Piece { path: new, ..Piece::default() },
    })
}

fn add(blocks: &mut Vec<Block>, line: &str) {
    if line.starts_with("@@") {
        blocks.push(Block::default());
        return;
    }
    if line.starts_with("*** ") || line.starts_with("--- ") || line.starts_with("diff --git ") {
        return;
    }
    if blocks.is_empty() {
        blocks.push(Block::default());
    }
    let Some(block) = blocks.last_mut() else { return };
    let (sign, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
    match sign {
        "+" => block.new.push(rest.to_owned()),
        "-" => block.old.push(rest.to_owned()),
        " " => {
            block.old.push(rest.to_owned());
            block.new.push(rest.to_owned());
        }
        _ => {}
    }
}
