//! Which tables a line may be of, by the literals that their lines have.

use std::sync::LazyLock;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::table::{TABLES, Table};

/// Lines that are looked at literal by literal: for no more the automaton is not worth its making.
const LINES_FEW: u32 = 48;

/// What a line says that tells of an error, to whoever knows nothing else of it.
const ERRORS: [&str; 6] = ["rror", "not found", "cannot ", "No tests", "ERROR", "failed"];
/// Its place among the bits; the tables have those below.
const ERROR: u32 = u64::BITS - 1;

/// Every literal, with its bit.
static LITERALS: LazyLock<Vec<(&str, u64)>> = LazyLock::new(|| {
    let tables = TABLES.iter().enumerate();
    let signs =
        tables.flat_map(|(at, table)| table.signs.iter().map(move |it| (it.as_str(), bit(at))));
    signs.chain(ERRORS.map(|it| (it, 1 << ERROR))).collect()
});

static AUTOMATON: OnceLock<Option<AhoCorasick>> = OnceLock::new();

fn bit(table: usize) -> u64 {
    u32::try_from(table).ok().filter(|it| *it < ERROR).map_or(0, |it| 1 << it) // a test counts them
}

/// Reads lines for the signs of these tables, and for an error's words.
#[derive(Clone, Debug)]
pub struct Signs {
    wanted: u64,
    is_of_known: bool,
    lines: u32,
}

/// What a line has signs of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signed(u64);

impl Signed {
    pub fn of_error(self) -> bool {
        self.0 & 1 << ERROR != 0
    }

    /// Numbers of tables, in their order.
    pub fn tables(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0 & !(1 << ERROR);
        std::iter::from_fn(move || {
            let next = rest.trailing_zeros();
            rest &= rest.checked_sub(1)?;
            Some(next as usize)
        })
    }
}

impl Signs {
    /// Of the tables that read what these programs print; where none does, of all.
    pub fn of(programs: &[String]) -> Self {
        let reads = |table: &Table| match table.is_own {
            true => !programs.is_empty() && programs.iter().all(|it| table.reads(it)),
            false => programs.iter().any(|it| table.reads(it)),
        };
        let bits = |reads: &dyn Fn(&Table) -> bool| {
            let read = TABLES.iter().enumerate().filter(|it| reads(it.1));
            read.fold(1 << ERROR, |all, it| all | bit(it.0))
        };
        match bits(&reads) {
            wanted if wanted != 1 << ERROR => Self { wanted, is_of_known: true, lines: 0 },
            _ => Self { wanted: bits(&|it| !it.is_own), is_of_known: false, lines: 0 },
        }
    }

    /// Whether a table is a program's.
    pub fn is_of_known(&self) -> bool {
        self.is_of_known
    }

    pub fn line(&mut self, line: &str) -> Signed {
        self.lines = self.lines.saturating_add(1);
        let automaton = match AUTOMATON.get() {
            None if self.lines <= LINES_FEW => None,
            _ => AUTOMATON.get_or_init(automaton).as_ref(),
        };
        let mut bits = 0;
        let Some(automaton) = automaton else {
            for (literal, bit) in LITERALS.iter().filter(|it| it.1 & self.wanted != 0) {
                if bits & bit == 0 && line.contains(literal) {
                    bits |= bit;
                }
            }
            return Signed(bits);
        };
        for found in automaton.find_overlapping_iter(line) {
            bits |= LITERALS[found.pattern().as_usize()].1;
        }
        Signed(bits & self.wanted)
    }
}

fn automaton() -> Option<AhoCorasick> {
    let literals = LITERALS.iter().map(|it| it.0);
    let kind = Some(AhoCorasickKind::DFA);
    AhoCorasick::builder().kind(kind).build(literals).ok() // some two hundred short ones
}
