//! Whether the id of a call is unique by itself.

/// A run of letters and digits of this length, both among them, is not counted up but drawn.
const DRAWN_LEN_MIN: usize = 8;
/// Drawn from letters alone, it is longer, and its letters are of both cases.
const LETTERS_LEN_MIN: usize = 16;
const EACH_CASE_MIN: usize = 4;

/// Within what a call's id is unique: nothing where it was drawn at random, as OpenAI's own are
/// (`call_` and 24 letters and digits), else the session. Other models' servers count their calls
/// (`functions.shell:0`), anew in each session.
///
/// A fork repeats the calls of what it was forked from under their ids, so an id that needs no
/// session gets none.
pub fn scope(session: Option<&str>, call: &str) -> Option<String> {
    let drawn = call.split(|c: char| !c.is_ascii_alphanumeric()).any(is_drawn);
    session.filter(|_| !drawn).map(str::to_owned)
}

fn is_drawn(run: &str) -> bool {
    let count = |is: fn(&u8) -> bool| run.as_bytes().iter().filter(|byte| is(byte)).count();
    let digits = count(u8::is_ascii_digit);
    let (upper, lower) = (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    (run.len() >= DRAWN_LEN_MIN && digits > 0 && upper + lower > 0)
        || (run.len() >= LETTERS_LEN_MIN && upper.min(lower) >= EACH_CASE_MIN)
}
