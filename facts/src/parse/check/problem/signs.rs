//! Which tables a line may be of, and what it may tell by itself, by the literals that such lines have.

use std::sync::{LazyLock, OnceLock};

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::dfa::DFA;
use aho_corasick::{Anchored, MatchKind, StartKind};

use super::table::TABLES;

/// Lines that are looked at literal by literal: for no more the automaton is not worth its making.
const LINES_FEW: u32 = 48;

/// What a line says that tells of an error, to whoever knows nothing else of it.
const ERRORS: [&str; 6] = ["rror", "not found", "cannot ", "No tests", "ERROR", "failed"];
/// Of what a line may tell whichever tool printed it.
const WORDS: [&str; 8] = [
    "FAIL\t",
    "to rerun pass `",
    "[no test",
    "not found",
    ": No module named ",
    " (ignored)",
    "Command ",
    "[Request interrupted by user",
];
/// Of a test that was left out.
const SKIPS: [&str; 7] =
    ["SKIP", " ... ignored", " ... skipped", "XFAIL", "○ skipped ", "\u{fe63} ", "↓ "];
/// Tables have the bits below these.
pub const TABLES_MAX: usize = 61;
const ERROR: u64 = 1 << 63;
const WORD: u64 = 1 << 62;
const SKIP: u64 = 1 << 61;
const OTHERS: u64 = ERROR | WORD | SKIP;

/// Literals of no table, by what they are signs of.
const OF_NONE: [(&[&str], u64); 3] = [(&ERRORS, ERROR), (&WORDS, WORD), (&SKIPS, SKIP)];

/// Every literal, with the bits of all that it is a sign of.
fn literals() -> Vec<(&'static str, u64)> {
    let tables = TABLES.iter().enumerate();
    let signs = tables.flat_map(|(at, table)| table.signs.iter().map(move |it| (&**it, bit(at))));
    let others = OF_NONE.iter().flat_map(|(list, bit)| list.iter().map(|it| (*it, *bit)));
    let mut found: Vec<_> = signs.chain(others).collect();
    found.sort_unstable();
    found.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 |= if is_same { next.1 } else { 0 };
        is_same
    });
    found
}

/// The tables that read what a program prints.
fn readers(program: &str) -> u64 {
    let tables = TABLES.iter().enumerate().filter(|it| it.1.is_of(program));
    tables.fold(0, |all, it| all | bit(it.0))
}

/// The tables that read no other program's output, and the others.
static OWN: LazyLock<u64> = LazyLock::new(|| bits(true));
static COMMON: LazyLock<u64> = LazyLock::new(|| bits(false));

fn bits(is_own: bool) -> u64 {
    let tables = TABLES.iter().enumerate().filter(|it| it.1.is_own == is_own);
    tables.fold(0, |all, it| all | bit(it.0))
}

static AUTOMATON: OnceLock<Option<Signposts>> = OnceLock::new();

fn bit(table: usize) -> u64 {
    if table < TABLES_MAX { 1 << table } else { 0 } // a test counts them
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
        self.0 & ERROR != 0
    }

    /// It may tell something whichever tool printed it.
    pub fn of_any(self) -> bool {
        self.0 & WORD != 0
    }

    /// It may say that a test was left out.
    pub fn of_skip(self) -> bool {
        self.0 & SKIP != 0
    }

    /// Numbers of tables, in their order.
    pub fn tables(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0 & !OTHERS;
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
        let of = |it: &String| readers(it);
        let any = programs.iter().map(of).fold(0, |all, it| all | it) & *COMMON;
        let alone = programs.iter().map(of).reduce(|all, it| all & it).unwrap_or(0) & *OWN;
        match any | alone {
            0 => Self { wanted: *COMMON | OTHERS, is_of_known: false, lines: 0 },
            known => Self { wanted: known | OTHERS, is_of_known: true, lines: 0 },
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
            _ => AUTOMATON.get_or_init(Signposts::new).as_ref(),
        };
        let bits = automaton.map_or_else(|| self.each(line), |it| it.bits(line));
        Signed(bits & self.wanted)
    }

    /// Literal by literal, of what is wanted.
    fn each(&self, line: &str) -> u64 {
        let others = OF_NONE.iter().filter(|it| it.0.iter().any(|it| line.contains(it)));
        let others = others.fold(0, |all, it| all | it.1);
        let is_of = |table: &usize| TABLES[*table].signs.iter().any(|it| line.contains(&**it));
        Signed(self.wanted).tables().filter(is_of).fold(others, |all, at| all | bit(at))
    }
}

/// All literals at once: a step of an automaton for each byte.
#[derive(Debug)]
struct Signposts {
    dfa: DFA,
    start: StateID,
    /// Of each literal.
    bits: Vec<u64>,
}

impl Signposts {
    fn new() -> Option<Self> {
        let mut builder = DFA::builder();
        builder.match_kind(MatchKind::Standard).start_kind(StartKind::Unanchored);
        let literals = literals();
        let dfa = builder.build(literals.iter().map(|it| it.0)).ok()?; // some two hundred short ones
        let start = dfa.start_state(Anchored::No).ok()?; // as it was built
        Some(Self { dfa, start, bits: literals.iter().map(|it| it.1).collect() })
    }

    fn bits(&self, line: &str) -> u64 {
        let (mut bits, mut state) = (0, self.start);
        for byte in line.bytes() {
            state = self.dfa.next_state(Anchored::No, state, byte);
            if self.dfa.is_special(state) && self.dfa.is_match(state) {
                for at in 0..self.dfa.match_len(state) {
                    bits |= self.bits[self.dfa.match_pattern(state, at).as_usize()];
                }
            }
        }
        bits
    }
}
