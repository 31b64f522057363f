//! What a value is by how it is built: drawn by a generator, made up by a person, or a reference, a
//! call, a hash, a file in base 64, words that stand in for a secret.

use super::names::list;

/// Words of values that stand in for a secret, where all of the value is words.
const STAND_INS: &[&str] = list!(
    "test tests testing fake mock mocked dummy sample temp tmp demo invalid wrong bad incorrect
     my some your our the a example removed stripped hidden masked censored redacted xxx here real
     random foo bar baz placeholder missing expired unknown value string stub none local dev"
);

/// How the base 64 of files begins that are no text: images, archives, fonts, programs.
const FILES: &[&str] = list!(
    "iVBORw0KGgo /9j/ R0lGOD UEsDB H4sI JVBERi0 AGFzbQ d09G QlpoOT /Td6WFo KLUv/ UklGR f0VMR
     T2dnU SUkq TU0AK AAABAA AAEAAAA"
);

/// How the hashes begin that systems keep of passwords, besides `$id$`.
const HASHES: &[&str] = list!(
    "pbkdf2_ pbkdf2: scrypt: argon2$ bcrypt$ bcrypt_ sha1$ sha256$ md5$ {ssha {sha {crypt} {bcrypt}"
);

/// What a byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Sign,
}

fn kind(byte: u8) -> Kind {
    match byte {
        b'a'..=b'z' => Kind::Lower,
        b'A'..=b'Z' => Kind::Upper,
        b'0'..=b'9' => Kind::Digit,
        _ => Kind::Sign,
    }
}

/// Signs that people and generators put into passwords, and that names, paths and versions lack.
fn strengthens(byte: u8) -> bool {
    b"!@#$%^&*~+?".contains(&byte)
}

/// What a generator drew from letters, digits and signs, behind a word or two that say so
/// (`django-insecure-…`): neighbours are mostly of different kinds, and no word is in it.
pub(super) fn is_noise(value: &[u8]) -> bool {
    let mut value = value;
    for _ in 0..3 {
        let word = value.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        match value.get(word) {
            Some(b'-' | b'_') if (3..=12).contains(&word) => value = &value[word + 1..],
            _ => break,
        }
    }
    if !(10..=256).contains(&value.len()) || !value.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        return false;
    }
    let has = |wanted: Kind| value.iter().any(|byte| kind(*byte) == wanted);
    let letters = has(Kind::Lower) || has(Kind::Upper);
    let signs = value.iter().filter(|byte| kind(**byte) == Kind::Sign).count();
    let changes = value.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
    let word = value.split(|byte| !byte.is_ascii_lowercase()).map(<[u8]>::len).max();
    let spaced = value.contains(&b' ') && value.len() < 24;
    letters
        && !spaced
        && has(Kind::Digit)
        && signs > 1
        && signs * 10 >= value.len()
        && (value.iter().any(|byte| strengthens(*byte))
            || distinct_signs(value) > 3
            || changes * 10 >= (value.len() - 1) * 7)
        && changes * 20 >= (value.len() - 1) * 9
        && word.is_some_and(|word| word <= 7 + value.len() / 8)
        && distinct(value) * 2 >= value.len().min(48)
        && !is_template(value)
}

fn distinct_signs(value: &[u8]) -> usize {
    let signs: Vec<u8> = value.iter().copied().filter(|byte| kind(*byte) == Kind::Sign).collect();
    distinct(&signs)
}

fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    value.iter().filter(|byte| !std::mem::replace(&mut seen[usize::from(**byte)], true)).count()
}

/// What somebody made up to be strong: letters, digits and a sign that no name has, and no code.
pub(super) fn is_sturdy(value: &[u8]) -> bool {
    (8..=128).contains(&value.len())
        && value.iter().all(u8::is_ascii_graphic)
        && value.iter().any(u8::is_ascii_alphabetic)
        && value.iter().any(u8::is_ascii_digit)
        && value.iter().any(|byte| strengthens(*byte))
        && !is_code(value)
        && !is_template(value)
}

/// Something that a program says: a call, an access, a comparison, an address.
pub(super) fn is_code(value: &[u8]) -> bool {
    let pairs = [&b"()"[..], b"[]", b"->", b"::", b"==", b"=>", b"&&", b"||", b"//", b"){", b");"];
    let mut at = 0;
    let pair = loop {
        match value.get(at..at + 2) {
            Some(pair) if pairs.contains(&pair) => break true,
            Some(_) => at += 1,
            None => break false,
        }
    };
    pair && !is_noise(value) || is_call(value)
}

/// `name(…)`, `name[…]`, with a path of names before the bracket and its end at the end.
pub(super) fn is_call(value: &[u8]) -> bool {
    let value = value.trim_ascii_end();
    let value = value.strip_suffix(b";").unwrap_or(value);
    let Some(open) = value.iter().position(|byte| matches!(byte, b'(' | b'[')) else {
        return false;
    };
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:$>-!".contains(byte);
    let named = value[..open]
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_!".contains(byte));
    named && value[..open].iter().all(name) && matches!(value.last(), Some(b')' | b']' | b'}'))
}

/// The name of a type or a constant: `a::B`, `SOME_NAME2`, `SecretKeySpec2`.
pub(super) fn is_type(value: &[u8]) -> bool {
    let letters = |part: &[u8]| part.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let word = |part: &[u8]| {
        let (word, number) = part.split_at(letters(part));
        number.len() <= 3
            && number.iter().all(u8::is_ascii_digit)
            && (!word.is_empty() || number.len() < 3)
    };
    let constant = || {
        let longest = value.split(|byte| *byte == b'_').map(letters).max();
        value.contains(&b'_') && longest >= Some(3) && value.split(|byte| *byte == b'_').all(word)
    };
    let path = value.windows(2).any(|pair| pair == b"::")
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_:<>.".contains(byte));
    path || constant() || value.split(|byte| *byte == b'.').all(is_camel)
}

/// `WordsLikeThis`, at most one digit at the end.
fn is_camel(value: &[u8]) -> bool {
    let count = |of: fn(&u8) -> bool| value.iter().filter(|byte| of(byte)).count();
    let (lower, upper) = (count(u8::is_ascii_lowercase), count(u8::is_ascii_uppercase));
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    value.iter().all(u8::is_ascii_alphanumeric)
        && upper >= 2
        && lower >= 2 * upper
        && digits < 2
        && lower + upper + 4 >= value.len()
}

/// A colour: `#1a2b3c`.
pub(super) fn is_colour(value: &[u8]) -> bool {
    let digits = value.strip_prefix(b"#").unwrap_or_default();
    matches!(digits.len(), 3 | 6 | 8) && digits.iter().all(u8::is_ascii_hexdigit)
}

/// What is filled in, or looked up, when it is used: `${X}`, `{{ x }}`, `%(x)s`, `<%= x %>`, `$x`.
pub(super) fn is_template(value: &[u8]) -> bool {
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:-?+/ '\"[]()$|=@!%".contains(byte);
    let closed = |open: &[u8], close: &[u8]| {
        let rest = value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        rest.is_some_and(|rest| rest.iter().all(inner))
    };
    let pairs: [(&[u8], &[u8]); 9] = [
        (b"${", b"}"),
        (b"{{", b"}}"),
        (b"$(", b")"),
        (b"#{", b"}"),
        (b"<%", b"%>"),
        (b"%{", b"}"),
        (b"%(", b")s"),
        (b"${{", b"}}"),
        (b"$$(", b")"),
    ];
    pairs.iter().any(|(open, close)| closed(open, close))
        || holds_template(value)
        || is_pattern(value)
}

/// A regular expression.
fn is_pattern(value: &[u8]) -> bool {
    let ranges = [&b"a-z"[..], b"A-Z", b"0-9"];
    value.windows(3).any(|there| ranges.contains(&there))
        || value.starts_with(b".*")
        || value.starts_with(b"[^")
}

/// `…${name}…`, `…{{name}}…`.
fn holds_template(value: &[u8]) -> bool {
    let mut at = 0;
    while let Some(pair) = value.get(at..at + 2) {
        let name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_. ".contains(byte);
        if matches!(pair, b"${" | b"{{" | b"#{") {
            let length = value[at + 2..].iter().take(64).take_while(name).count();
            if length > 1 && value.get(at + 2 + length) == Some(&b'}') {
                return true;
            }
        }
        at += 1;
    }
    false
}

/// What begins like something that is put in later, or looked up, and is no password all the same.
pub(super) fn is_reference(value: &[u8]) -> bool {
    let opens = matches!(value.first(), Some(b'$' | b'<' | b'{' | b'%' | b'[' | b'(' | b'*'));
    let bracket = value.contains(&b'(') && !is_sturdy(value);
    let escaped = value.starts_with(b"&#") || value.starts_with(b"&lt;");
    let member = value.first() == Some(&b'@') && !value.iter().any(u8::is_ascii_digit);
    is_template(value)
        || escaped
        || member
        || (opens || bracket) && !is_noise(value)
        || is_call(value) && !is_noise(value)
}

/// What a system keeps of a password to check it: no door opens with it.
pub(super) fn is_hash(value: &[u8]) -> bool {
    let lower = value[..value.len().min(16)].to_ascii_lowercase();
    let id = lower.strip_prefix(b"$").and_then(|rest| {
        let id = rest.split(|byte| *byte == b'$').next()?;
        (id.len() < rest.len()).then_some(id)
    });
    let crypt = [&b"2"[..], b"2a", b"2b", b"2x", b"2y", b"1", b"5", b"6", b"y", b"7", b"apr1"];
    id.is_some_and(|id| crypt.contains(&id))
        || [&b"$argon2"[..], b"$pbkdf2", b"$scrypt"].iter().any(|it| lower.starts_with(it))
        || HASHES.iter().any(|begin| lower.starts_with(begin.as_bytes()))
        || value.len() == 41 && value[0] == b'*' && value[1..].iter().all(u8::is_ascii_hexdigit)
}

/// The base 64 of a file that is no text.
pub(super) fn is_file(value: &[u8]) -> bool {
    value.len() >= 60 && FILES.iter().any(|begin| value.starts_with(begin.as_bytes()))
}

/// Words, some of them numbered, one of which says that they stand in for a secret.
pub(super) fn is_stand_in(value: &[u8]) -> bool {
    if value.len() > 64 {
        return false;
    }
    let mut tells = false;
    let words = value.split(|byte| b"-_. ".contains(byte)).all(|part| {
        let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, number) = part.split_at(letters);
        tells |= STAND_INS.iter().any(|it| word.eq_ignore_ascii_case(it.as_bytes()));
        letters <= 12 && number.len() <= 6 && number.iter().all(u8::is_ascii_digit)
    });
    words && tells
}
