//! A list with one line chosen.

/// A list with one line chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T> {
    pub items: Vec<T>,
    /// The chosen one's index; 0 where there is none.
    pub at: usize,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { items: Vec::new(), at: 0 }
    }
}

impl<T> List<T> {
    pub fn chosen(&self) -> Option<&T> {
        self.items.get(self.at)
    }

    /// Whether the last line is chosen, or there is none.
    pub fn is_at_end(&self) -> bool {
        self.at + 1 >= self.items.len()
    }

    /// Chooses another line, as far as there are any.
    pub fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.items.len().saturating_sub(1));
    }

    /// Takes other lines. The last stays chosen where it was, else the one that is the same.
    pub fn replace(&mut self, items: Vec<T>, is_same: impl Fn(&T, &T) -> bool) {
        let last = items.len().saturating_sub(1);
        let same = self.chosen().and_then(|old| items.iter().position(|new| is_same(old, new)));
        self.at = match self.is_at_end() {
            true => last,
            false => same.unwrap_or(self.at).min(last),
        };
        self.items = items;
    }
}
