//! Texts that say something else once they are decoded.

use std::ops::Range;

use crate::redact::encoded::{hexadecimal as text_of_hex, narrow};
use crate::redact::json_strings::View;
use crate::redact::shape::{ANY_BASE64, rest_of_escape};

/// Shorter runs are words, and what they say is no secret with its name.
const RUN_MIN: usize = 24;
/// As much as is decoded at once; a multiple of four.
const RUN_MAX: usize = 1 << 20;
/// What is decoded first: most runs are no text there already.
const TASTE: usize = 12;
/// Lines of base 64 are this long at least, and all but the last equally long.
const LINE_MIN: usize = RUN_MIN;

/// Shows every run of base 64 that says a text: where it stands, and what it says. Costs a look at
/// every [`RUN_MIN`]th byte where there is none.
pub fn texts(text: &[u8], mut seen: impl FnMut(Range<usize>, &[u8])) {
    let mut at = 0;
    while let Some(probe) = text.get(at + RUN_MIN - 1) {
        let probed = at + RUN_MIN - 1;
        if !ANY_BASE64.has(*probe) {
            at = probed + 1;
            continue;
        }
        let start = probed - ANY_BASE64.run_back(&text[at..probed], RUN_MIN);
        let end = probed + ANY_BASE64.run(&text[probed..], usize::MAX);
        at = end + 1;
        if end - start >= RUN_MIN {
            at = at.max(run(text, start..end, &mut seen));
        }
    }
}

/// Looks at one run; gives where what was looked at ends.
fn run(text: &[u8], range: Range<usize>, seen: &mut impl FnMut(Range<usize>, &[u8])) -> usize {
    // `\n` before it is an escaped line end, whose letter is no part of it.
    let start = (range.start + rest_of_escape(text, range.start)).min(range.end);
    // What stands before it may be written in the same letters: a path, an option.
    let signs = text[start..range.end].iter().take(256).enumerate();
    let signs = signs.filter(|(_, byte)| matches!(byte, b'/' | b'-' | b'_' | b'+'));
    let starts = std::iter::once(start).chain(signs.map(|(at, _)| start + at + 1)).take(6);
    for start in starts.filter(|start| range.end - start >= RUN_MIN) {
        let taste = decode(&text[start..start + TASTE]);
        let coded = is_text(&taste) || narrow(&taste).is_some();
        if !coded && text_of_hex(&text[start..range.end.min(start + RUN_MIN + 2)]).is_none() {
            continue;
        }
        let (digits, end, before_last) = lines(text, start..range.end);
        if let Some(says) = text_of_hex(&digits) {
            seen(start..end, &says);
            return end;
        }
        // The last may be a line of something else.
        if before_last.0 > 0 && self::text(&digits).is_none() && digits.len() <= RUN_MAX {
            let (count, end) = before_last;
            if let Some(says) = self::text(&digits[..count]) {
                seen(start..end, &says);
                return end;
            }
        }
        for part in digits.chunks(RUN_MAX) {
            if let Some(says) = self::text(part) {
                seen(start..end, &says);
            }
        }
        return end;
    }
    range.end
}

/// The digits of a run and of the lines below it that go on with it, and where they end; how many there are without
/// the last line, and where those end: 0 where there is one line.
fn lines(text: &[u8], first: Range<usize>) -> (Vec<u8>, usize, (usize, usize)) {
    let mut before_last = (0, 0);
    let length = first.len();
    let head = &text[first.start.saturating_sub(64)..first.start];
    let begin = memchr::memrchr(b'\n', head).map(|it| it + 1);
    let begin = begin.max(memchr::memmem::rfind(head, b"\\n").map(|it| it + 2));
    let before = head.len() - begin.unwrap_or(0);
    let mut digits = text[first.clone()].to_vec();
    let mut end = first.end;
    let mut last = length;
    while length >= LINE_MIN && length.is_multiple_of(4) && last == length && digits.len() < RUN_MAX
    {
        let rest = &text[end..];
        let breaks = [&b"\r\n"[..], b"\n", b"\\r\\n", b"\\n"];
        let Some(gap) = breaks.iter().find(|sign| rest.starts_with(sign)) else { break };
        let run = |gap: usize| ANY_BASE64.run(&rest[gap..], length + 1);
        let mut begins = line_begins(&rest[gap.len()..]);
        // What stands before the first line stands before the others.
        begins.sort_by_key(|it| *it != before);
        let gaps = begins.into_iter().map(|it| gap.len() + it);
        // One that goes on as long as the others, or the shorter end.
        let all: Vec<_> = gaps.map(|gap| (gap, run(gap))).collect();
        let whole = all.iter().find(|(_, run)| *run == length);
        let Some((gap, run)) = whole.or(all.iter().find(|(_, run)| (1..=length).contains(run)))
        else {
            break;
        };
        let gap = *gap;
        last = *run;
        before_last = (digits.len(), end);
        digits.extend_from_slice(&rest[gap..gap + last]);
        end += gap + last;
    }
    end += text[end..].iter().take(2).take_while(|byte| **byte == b'=').count();
    (digits, end, before_last)
}

/// How long what stands before a line may be, the shortest first: nothing, spaces, its number, the mark of a quotation
/// or of a diff.
pub fn line_begins(line: &[u8]) -> Vec<usize> {
    let spaces = |from: usize| {
        line[from..].iter().take(64).take_while(|it| matches!(it, b' ' | b'\t')).count()
    };
    let indent = spaces(0);
    let mut begins = vec![0, indent];
    let digits = line[indent..].iter().take(9).take_while(|it| it.is_ascii_digit()).count();
    if digits > 0 {
        let behind = indent + digits + spaces(indent + digits);
        let signs = [&b"\\t"[..], "→".as_bytes(), "│".as_bytes(), b":", b"|", b"\t"];
        let sign = signs.iter().find(|it| line[behind..].starts_with(it));
        let behind = behind + sign.map_or(0, |it| it.len());
        begins.extend([behind, behind + spaces(behind)]);
    } else {
        let marks = line[indent..].iter().take(3);
        let marks = marks.take_while(|it| b"+-<>|#*;%/".contains(it)).count();
        for mark in 1..=marks {
            let behind = indent + mark;
            begins.extend([behind, behind + spaces(behind)]);
        }
    }
    begins.dedup();
    begins
}

/// What base 64 says, padded or not, of either kind, where that is a text.
pub fn text(digits: &[u8]) -> Option<Vec<u8>> {
    let end = digits.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    let digits = &digits[..end];
    if digits.len() < 2 || !digits.iter().all(|byte| ANY_BASE64.has(*byte)) {
        return None;
    }
    let says = decode(digits);
    let taste = &says[..says.len().min(TASTE / 4 * 3)];
    if let Some(says) = narrow(taste).and_then(|_| narrow(&says)) {
        return Some(says);
    }
    (is_text(taste) && std::str::from_utf8(&says).is_ok() && is_text(&says)).then_some(says)
}

fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte >= b' ' && *byte != 0x7f || matches!(byte, b'\n' | b'\r' | b'\t'))
        && bytes.iter().filter(|byte| byte.is_ascii()).count() * 4 >= bytes.len() * 3
}

fn decode(digits: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let bits = group.iter().fold(0_u32, |bits, digit| bits << 6 | u32::from(value(*digit)));
        let bits = bits << (6 * (4 - group.len()));
        let bytes = bits.to_be_bytes();
        out.extend_from_slice(&bytes[1..1 + group.len() * 3 / 4]);
    }
    out
}

fn value(digit: u8) -> u8 {
    match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' | b'-' => 62,
        _ => 63,
    }
}

/// The digits that stand for `bytes` wherever they are in what is encoded: for each place in a
/// group of three, those that depend on nothing else.
pub fn inner_digits(bytes: &[u8]) -> [Vec<u8>; 3] {
    [0, 1, 2].map(|before: usize| {
        let padded = [&[0; 2][..before], bytes].concat();
        let whole = padded.len() * 8 / 6;
        let digits = padded.chunks(3).flat_map(|group| {
            let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
            let bits = bits << (8 * (3 - group.len()));
            [18, 12, 6, 0].map(|shift| ALPHABET[(bits >> shift & 63) as usize])
        });
        digits.take(whole).skip((before * 8).div_ceil(6)).collect()
    })
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What a search for keywords looks for: `\u00`, `\x` of letters, and the escapes of URLs that tokens, and what
/// stands around them, are written with.
pub const KEYWORDS: &[&[u8]] = &[
    b"\\u00", b"\\x5", b"\\x6", b"\\x7", b"%24", b"%7c", b"%2b", b"%2d", b"%2f", b"%3a", b"%3d",
    b"%40", b"%5f", b"%22", b"%26", b"%20",
];

/// How far around an escape is looked.
const AROUND: usize = 256;
/// And from there to a space or a quote.
const FURTHER: usize = 16 << 10;

/// The stretches around escapes, in order and apart; `escapes` in order.
pub fn stretches(text: &[u8], escapes: &[usize]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'"';
    for at in escapes {
        let to = text.len().min(at + AROUND);
        let last = all.last_mut();
        if last.as_ref().is_some_and(|last| to <= last.end) {
            continue;
        }
        let further = text[to..].iter().take(FURTHER).position(ends);
        let end = to + further.unwrap_or(FURTHER.min(text.len() - to));
        let from = at.saturating_sub(AROUND);
        match last {
            Some(last) if from <= last.end => last.end = end,
            _ => {
                let floor = last.map_or(0, |last| last.end);
                let back = text[floor..from].iter().rev().take(FURTHER).position(ends);
                all.push(from - back.unwrap_or(FURTHER.min(from - floor))..end);
            }
        }
    }
    all
}

/// A stretch of a text without its escapes of printable characters; `None` where it has none.
pub fn plain(text: &[u8], stretch: &Range<usize>) -> Option<View> {
    let mut view = View::default();
    let mut at = stretch.start;
    let mut copied = at;
    let mut any = false;
    while at < stretch.end {
        let rest = &text[at..stretch.end];
        let escape = match rest[0] {
            b'\\' => unicode(rest),
            b'%' => hexadecimal(&rest[1..]).map(|byte| (byte, 3)),
            _ => None,
        };
        match escape {
            Some((byte, length)) => {
                view.copy(&text[copied..at], copied);
                view.decoded(&[byte], at);
                at += length;
                copied = at;
                any = true;
            }
            None => at += 1,
        }
    }
    view.copy(&text[copied..stretch.end], copied);
    view.end(stretch.end);
    any.then_some(view)
}

/// `\u00XX` or `\xXX` behind any number of backslashes, `\/`.
fn unicode(text: &[u8]) -> Option<(u8, usize)> {
    let slashes = text.iter().take(16).take_while(|byte| **byte == b'\\').count();
    let rest = &text[slashes..];
    if rest.first() == Some(&b'/') {
        return Some((b'/', slashes + 1));
    }
    if let Some(digits) = rest.strip_prefix(b"x") {
        return Some((hexadecimal(digits)?, slashes + 3));
    }
    let digits = rest.strip_prefix(b"u00")?;
    Some((hexadecimal(digits)?, slashes + 5))
}

/// The printable character of two hexadecimal digits.
fn hexadecimal(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| text.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
    matches!(byte, b' '..=b'~').then_some(byte)
}
