//! What a person sees on a terminal: what was written to it, obeyed.

/// A terminal's cells.
pub struct Grid {
    cells: Vec<Vec<char>>,
    at: (usize, usize),
}

impl Grid {
    /// What is seen after all of this was written.
    pub fn of(written: &str, columns: usize, rows: usize) -> Self {
        let mut grid = Self { cells: vec![vec![' '; columns]; rows], at: (0, 0) };
        let mut rest = written.chars();
        while let Some(c) = rest.next() {
            match c {
                '\u{1b}' => {
                    let mut sequence: String = rest.by_ref().take(1).collect();
                    if sequence == "[" {
                        for c in rest.by_ref() {
                            sequence.push(c);
                            if c.is_ascii_alphabetic() {
                                break;
                            }
                        }
                        grid.obey(&sequence);
                    }
                }
                '\r' => grid.at.0 = 0,
                '\n' => grid.at.1 += 1,
                c if c.is_control() => {}
                c => {
                    let (x, y) = grid.at;
                    if let Some(cell) = grid.cells.get_mut(y).and_then(|line| line.get_mut(x)) {
                        *cell = c;
                    }
                    grid.at.0 += 1;
                }
            }
        }
        grid
    }

    /// Only what the program sends: a place, an erasure; colours and modes change no text.
    fn obey(&mut self, sequence: &str) {
        // What was read so far may end inside a sequence.
        let Some(numbers) = sequence.get(1..sequence.len().saturating_sub(1)) else { return };
        match sequence.chars().last() {
            Some('H') => {
                let mut of = numbers.split(';').map(|text| text.parse::<usize>().unwrap_or(1));
                let (row, column) = (of.next().unwrap_or(1), of.next().unwrap_or(1));
                self.at = (column.max(1) - 1, row.max(1) - 1);
            }
            Some('J') => self.cells.iter_mut().for_each(|line| line.fill(' ')),
            _ => {}
        }
    }

    pub fn text(&self) -> String {
        let line = |cells: &Vec<char>| cells.iter().collect::<String>().trim_end().to_owned();
        self.cells.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
