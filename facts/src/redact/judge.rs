//! What a value must look like to be a secret, and what never is one.

use super::names::{self, list};
use super::structure::{is_colour, is_file, is_hash, is_noise, is_reference, is_stand_in};

/// Words that stand where a secret would, and tell that there is none: the whole value, letters and
/// digits alone.
const PLACEHOLDERS: &[&str] = list!(
    "abc123 anonymous bearer basic default disabled empty enabled env argon2 argon2id argument
     base64 bcrypt2 false hidden md5sum option pbkdf2 sha256 sha512 uint8array inherit input
     letters literal masked missing mypassword mysecret mytoken nil none null number omitted
     optional options pass passwd password password1 password123 private prompt public pwd
     required requires secret stdin string test text token true undefined unknown unset user
     username value vault write"
);

/// What a placeholder has in it somewhere.
const EXAMPLES: &[&str] = list!(
    "changeme change_me change-me dummy example insert placeholder redacted replace sample todo
     your- your_ yourtoken yourapi yoursecret yourpass yourkey xxxx **** .... ____ ---- fixme
     notreal not_real not-real not-a- not_a_ deadbeef loremipsum keyhere key-here key_here
     tokenhere token-here token_here secrethere secret-here secret_here foobar
     4ec39hqlyjwdarjtt1zdp7dc sflkxwrjsmekkf2qt4fwpmejf36pok6yj"
);

/// How code refers to a value that stands elsewhere.
const REFERENCES: &[&str] = list!(
    "process.env os.environ os.getenv env. env: std::env import.meta secrets. vars. var. self.
     this. config. settings. options. args. params. request. req. data. data: local. vault: op://
     ref+ arn: file: projects/ http:// https:// sha256: sha512- sha256- sha1- sha384- &str
     string option< vec< null undefined"
);

/// Shorter runs of bytes, each one above the last, are in random texts too.
const SEQUENCE_MIN: usize = 7;

/// Whether what stands where a secret would tells that it is none: an example, a reference, a
/// number that counts something.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let value = &value[..value.len().min(JUDGED_MAX)];
    let lower = value.to_ascii_lowercase();
    let letters: Vec<u8> = lower.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let short_number = value.len() < 10 && value.iter().all(u8::is_ascii_digit);
    // A version, an address, an object's identifier.
    let dotted =
        value.contains(&b'.') && value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    short_number
        || dotted
        || is_reference(value)
        || is_hash(value)
        || is_file(value)
        || is_colour(value)
        || is_stand_in(value)
        || value.len() <= 10 && value.starts_with(b"0x")
        || letters.is_empty()
        || PLACEHOLDERS.iter().any(|word| word.as_bytes() == letters)
        || REFERENCES.iter().any(|refer| lower.starts_with(refer.as_bytes()))
        || is_example(value)
}

/// Whether a token tells that nobody's door opens with it: documentation's keys, one character
/// over and over, the alphabet.
pub(super) fn is_example(token: &[u8]) -> bool {
    // What is longer than any token made by people is judged by how it begins.
    let lower = token[..token.len().min(JUDGED_MAX)].to_ascii_lowercase();
    let here = |at: usize| {
        let rest = &lower[at..];
        BEGINS[usize::from(rest[0])]
            && EXAMPLES.iter().any(|word| rest.starts_with(word.as_bytes()))
    };
    (0..lower.len()).any(here) || is_even(&lower)
}

const JUDGED_MAX: usize = 512;

/// The bytes that one of [`EXAMPLES`] begins with.
const BEGINS: [bool; 256] = {
    let mut begins = [false; 256];
    let mut at = 0;
    while at < EXAMPLES.len() {
        begins[EXAMPLES[at].as_bytes()[0] as usize] = true;
        at += 1;
    }
    begins
};

/// One stretch over and over, or the alphabet, or the digits.
fn is_even(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    let mut different = 0;
    for byte in value {
        different += usize::from(!seen[usize::from(*byte)]);
        seen[usize::from(*byte)] = true;
    }
    let few = match value.len() {
        0..4 => false,
        4..16 => different < 2,
        16..32 => different < 5,
        _ => different < 7,
    };
    let sequence = |step: u8| {
        let mut run = 1;
        value.windows(2).any(|pair| {
            run = if pair[0].wrapping_add(step) == pair[1] { run + 1 } else { 1 };
            run >= SEQUENCE_MIN
        })
    };
    let again = |period: usize| value[period..] == value[..value.len() - period];
    few || sequence(1)
        || sequence(u8::MAX)
        || value.windows(6).any(|there| there == b"567890")
        || value.len() >= 16 && (1..=value.len() / 2).take(16).any(again)
}

/// Bits of information that a byte of the value carries, were its bytes drawn as often as they
/// stand there.
pub(super) fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    value.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let length = value.len() as f64;
    let part = |count: u32| f64::from(count) / length;
    counts.iter().filter(|count| **count > 0).map(|count| -part(*count) * part(*count).log2()).sum()
}

/// What no person writes, and no word is: letters and digits mixed, few of them twice.
pub(super) fn is_random(value: &[u8]) -> bool {
    let has = |of: fn(&u8) -> bool| value.iter().any(of);
    let enough = match value.len() {
        0..12 => return false,
        12..20 => 2.7,
        20..32 => 3.0,
        _ => 3.2,
    };
    let hex = value.iter().all(u8::is_ascii_hexdigit);
    has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && entropy(value) >= if hex { enough - 0.4 } else { enough }
}

/// As [`is_random`], or long, of both cases, and no words with dashes between them.
pub(super) fn is_token(value: &[u8]) -> bool {
    let longest = value.split(|byte| !byte.is_ascii_alphanumeric()).map(<[u8]>::len).max();
    let lower = value.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let upper = value.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    // `WordsLikeThis` have more of the small ones.
    let mixed = lower > 0 && upper * 3 > lower;
    let run = |word: &[u8]| word.len() >= 12 && word.iter().any(u8::is_ascii_digit);
    !is_example(value)
        && (value.split(|byte| !byte.is_ascii_alphanumeric()).any(run) && is_random(value)
            || mixed && longest.is_some_and(|longest| longest >= 20) && entropy(value) >= 3.8)
}

/// A UUID, or a hash as git and blake3 write it: 40, 64, 96 or 128 hexadecimal digits.
pub(super) fn is_identity(value: &[u8]) -> bool {
    let hex = |byte: &u8| byte.is_ascii_hexdigit();
    match value.len() {
        36 => {
            value.split(|&byte| byte == b'-').map(<[u8]>::len).eq([8, 4, 4, 4, 12])
                && value.iter().all(|byte| hex(byte) || *byte == b'-')
        }
        40 | 64 | 96 | 128 => value.iter().all(hex),
        _ => false,
    }
}

/// Whether a value reads as a path: slashes with words between them.
pub(super) fn is_path(value: &[u8]) -> bool {
    let slashes = value.iter().filter(|&&byte| byte == b'/').count();
    let starts = [&b"/"[..], b"./", b"../", b"~/"].iter().any(|start| value.starts_with(start));
    starts && !is_random(value) || slashes > 1 && entropy(value) < 4.2
}

/// Whether a JSON member is a secret: its name says so, and its value looks like one.
pub(super) fn is_member(name: &[u8], value: &[u8]) -> bool {
    let named = names::is_member(name) && !names::is_about(name);
    let excused = is_identity(value) && !names::is_strong(name);
    let spaced = value.contains(&b' ') && !is_noise(value);
    named && !value.is_empty() && !spaced && !excused && !is_placeholder(value)
}
