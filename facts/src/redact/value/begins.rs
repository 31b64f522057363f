//! The forms of values by how they begin: of one that is recorded in pieces the first is all that there is yet.

use std::collections::HashMap;

/// Fewer bytes of a form begin none: anything ends in them.
const BEGIN_MIN: usize = 3;

pub(super) struct Begins {
    forms: Vec<Vec<u8>>,
    /// The forms that begin with these bytes.
    by: HashMap<[u8; BEGIN_MIN], Vec<usize>>,
}

impl Begins {
    pub fn of(forms: Vec<Vec<u8>>) -> Self {
        let mut by: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, form) in forms.iter().enumerate() {
            if let Some(begin) = form.first_chunk() {
                by.entry(*begin).or_default().push(at);
            }
        }
        Self { forms, by }
    }

    pub fn form(&self, number: usize) -> Option<&[u8]> {
        self.forms.get(number).map(Vec::as_slice)
    }

    /// Which forms the end of a text is the beginning of, and how much of each.
    pub fn at_end_of(&self, text: &[u8]) -> Vec<(usize, usize)> {
        let mut begun = Vec::new();
        for at in 0..text.len().saturating_sub(BEGIN_MIN - 1) {
            let end = &text[at..];
            let forms = end.first_chunk().and_then(|begin| self.by.get(begin));
            for number in forms.into_iter().flatten() {
                if self.form(*number).is_some_and(|it| it.len() > end.len() && it.starts_with(end))
                {
                    begun.push((*number, end.len()));
                }
            }
        }
        begun
    }
}
