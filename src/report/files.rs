//! What was changed in files, within bounds.

use super::limits::{DIFF_BYTES_MAX, DIFF_FILE_BYTES_MAX, DIFF_FILES_MAX};
use crate::event::SessionId;
use crate::execution::query::diff::{Diff, Scope};
use crate::execution::query::{QueryError, Stores};

/// The calls of these sessions, or of all, between two events.
pub fn scope(
    stores: &Stores,
    sessions: Option<&[SessionId]>,
    (from, through): (u64, u64),
) -> Result<Scope, QueryError> {
    let Some(sessions) = sessions else { return Ok(Scope { sessions: None, from, through }) };
    let mut numbers = Vec::new();
    for id in sessions {
        let of = stores.scope(Some(&id.to_string()))?.sessions;
        numbers.extend(of.unwrap_or_default());
    }
    Ok(Scope { sessions: Some(numbers), from, through })
}

/// Cuts what is longer than a page takes, and says so beside it.
pub fn bound(diff: &mut Diff) {
    diff.left_out += diff.files.len().saturating_sub(DIFF_FILES_MAX);
    diff.files.truncate(DIFF_FILES_MAX);
    let mut room = DIFF_BYTES_MAX;
    for file in &mut diff.files {
        let mut of_file = DIFF_FILE_BYTES_MAX.min(room);
        let mut lines = 0;
        for section in &mut file.sections {
            lines += cut(&mut section.diff, &mut of_file);
            let kept = section.unplaced.iter().take_while(|line| {
                let fits = line.len() < of_file;
                of_file = of_file.saturating_sub(line.len() + 1);
                fits
            });
            let kept = kept.count();
            lines += section.unplaced.len() - kept;
            section.unplaced.truncate(kept);
        }
        room = room.saturating_sub(DIFF_FILE_BYTES_MAX.min(room) - of_file);
        if lines > 0 {
            file.notes.push(format!("{lines} more lines of it are left out here"));
        }
    }
}

/// Cuts a text at the end of a line; how many lines are gone.
fn cut(text: &mut String, room: &mut usize) -> usize {
    if text.len() <= *room {
        *room -= text.len();
        return 0;
    }
    let end = text[..text.floor_char_boundary(*room)].rfind('\n').map_or(0, |at| at + 1);
    let gone = text[end..].lines().count();
    text.truncate(end);
    *room = 0;
    gone
}
