//! What different forms of a word have in common: its letters without case and diacritics, its English endings cut
//! as M. F. Porter cuts them (1980), to the letter as SQLite's `porter unicode61 remove_diacritics 2` does it.

/// Bytes of a word of which an ending is cut.
const BYTES: std::ops::RangeInclusive<usize> = 3..=64;

/// The stem of a word, which is letters and digits.
pub fn stem(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    if word.is_ascii() {
        folded.push_str(word);
        folded.make_ascii_lowercase();
    } else {
        folded
            .extend(word.chars().flat_map(char::to_lowercase).filter(|it| !is_mark(*it)).map(bare));
    }
    if !BYTES.contains(&folded.len()) {
        return folded;
    }
    let mut bytes = folded.into_bytes();
    cut(&mut bytes);
    // Endings are of ASCII alone, and so is what stands for them.
    String::from_utf8(bytes).unwrap_or_default()
}

/// A sign that changes the letter before it.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// A small letter without its diacritic, in the form that it has most often.
fn bare(c: char) -> char {
    match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ǟ' | 'ǡ' | 'ǻ' | 'ȁ' | 'ȃ' | 'ȧ' | 'ḁ' | 'ạ'..='ặ' => {
            'a'
        }
        'ḃ' | 'ḅ' | 'ḇ' => 'b',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' | 'ḉ' => 'c',
        'ď' | 'ḋ' | 'ḍ' | 'ḏ' | 'ḑ' | 'ḓ' => 'd',
        'è'..='ë'
        | 'ē'
        | 'ĕ'
        | 'ė'
        | 'ę'
        | 'ě'
        | 'ȅ'
        | 'ȇ'
        | 'ȩ'
        | 'ḕ'
        | 'ḗ'
        | 'ḙ'
        | 'ḛ'
        | 'ḝ'
        | 'ẹ'..='ệ' => 'e',
        'ḟ' => 'f',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' | 'ǧ' | 'ǵ' | 'ḡ' => 'g',
        'ĥ' | 'ȟ' | 'ḣ' | 'ḥ' | 'ḧ' | 'ḩ' | 'ḫ' | 'ẖ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ǐ' | 'ȉ' | 'ȋ' | 'ḭ' | 'ḯ' | 'ỉ' | 'ị' => {
            'i'
        }
        'ĵ' | 'ǰ' => 'j',
        'ķ' | 'ǩ' | 'ḱ' | 'ḳ' | 'ḵ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ḷ' | 'ḹ' | 'ḻ' | 'ḽ' => 'l',
        'ḿ' | 'ṁ' | 'ṃ' => 'm',
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ǹ' | 'ṅ' | 'ṇ' | 'ṉ' | 'ṋ' => 'n',
        'ò'..='ö'
        | 'ō'
        | 'ŏ'
        | 'ő'
        | 'ơ'
        | 'ǒ'
        | 'ǫ'
        | 'ǭ'
        | 'ȍ'
        | 'ȏ'
        | 'ȫ'
        | 'ȭ'
        | 'ȯ'
        | 'ȱ'
        | 'ṍ'
        | 'ṏ'
        | 'ṑ'
        | 'ṓ'
        | 'ọ'..='ợ' => 'o',
        'ṕ' | 'ṗ' => 'p',
        'ŕ' | 'ŗ' | 'ř' | 'ȑ' | 'ȓ' | 'ṙ' | 'ṛ' | 'ṝ' | 'ṟ' => 'r',
        'ſ' | 'ẛ' | 'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ṡ' | 'ṣ' | 'ṥ' | 'ṧ' | 'ṩ' => {
            's'
        }
        'ţ' | 'ť' | 'ț' | 'ṫ' | 'ṭ' | 'ṯ' | 'ṱ' | 'ẗ' => 't',
        'ù'..='ü'
        | 'ũ'
        | 'ū'
        | 'ŭ'
        | 'ů'
        | 'ű'
        | 'ų'
        | 'ư'
        | 'ǔ'
        | 'ǖ'
        | 'ǘ'
        | 'ǚ'
        | 'ǜ'
        | 'ȕ'
        | 'ȗ'
        | 'ṳ'
        | 'ṵ'
        | 'ṷ'
        | 'ṹ'
        | 'ṻ'
        | 'ụ'..='ự' => 'u',
        'ṽ' | 'ṿ' => 'v',
        'ŵ' | 'ẁ' | 'ẃ' | 'ẅ' | 'ẇ' | 'ẉ' | 'ẘ' => 'w',
        'ẋ' | 'ẍ' => 'x',
        'ý' | 'ÿ' | 'ŷ' | 'ȳ' | 'ẏ' | 'ẙ' | 'ỳ' | 'ỵ' | 'ỷ' | 'ỹ' => 'y',
        'ź' | 'ż' | 'ž' | 'ẑ' | 'ẓ' | 'ẕ' => 'z',
        'ς' => 'σ',
        'ϐ' => 'β',
        'ϑ' => 'θ',
        'ϕ' => 'φ',
        'ϖ' => 'π',
        'ϰ' => 'κ',
        'ϱ' => 'ρ',
        'ϵ' => 'ε',
        _ => c,
    }
}

/// Endings, what stands for each, of which the first that fits is taken.
type Endings = &'static [(&'static str, &'static str)];

const STEP_2: Endings = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("logi", "log"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];

const STEP_3: Endings = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

const STEP_4: Endings = &[
    ("al", ""),
    ("ance", ""),
    ("ence", ""),
    ("er", ""),
    ("ic", ""),
    ("able", ""),
    ("ible", ""),
    ("ant", ""),
    ("ement", ""),
    ("ment", ""),
    ("ent", ""),
    ("ion", ""),
    ("ou", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
];

fn cut(word: &mut Vec<u8>) {
    plural(word);
    past(word);
    if let Some((b'y', rest)) = word.split_last()
        && has_vowel(rest)
    {
        word.pop();
        word.push(b'i');
    }
    ending(word, STEP_2, |rest, _| measure(rest) > 0);
    ending(word, STEP_3, |rest, _| measure(rest) > 0);
    ending(word, STEP_4, |rest, ending| {
        measure(rest) > 1 && (ending != "ion" || rest.ends_with(b"s") || rest.ends_with(b"t"))
    });
    if let Some((b'e', rest)) = word.split_last() {
        let measured = measure(rest);
        if measured > 1 || measured == 1 && !is_short(rest) {
            word.pop();
        }
    }
    if word.ends_with(b"ll") && measure(&word[..word.len() - 1]) > 1 {
        word.pop();
    }
}

fn plural(word: &mut Vec<u8>) {
    let cut = match &word[..] {
        [.., _, b's', b's', b'e', b's'] | [.., _, b'i', b'e', b's'] => 2,
        [.., b's', b's'] => 0,
        [.., b's'] => 1,
        _ => 0,
    };
    word.truncate(word.len() - cut);
}

fn past(word: &mut Vec<u8>) {
    if let Some(rest) = word.strip_suffix(b"eed") {
        if measure(rest) > 0 {
            word.pop();
        }
        return;
    }
    let rest = word.strip_suffix(b"ed").or_else(|| word.strip_suffix(b"ing"));
    let Some(rest) = rest.filter(|it| has_vowel(it)) else { return };
    word.truncate(rest.len());
    match &word[..] {
        [.., b'a', b't'] | [.., b'b', b'l'] | [.., b'i', b'z'] => word.push(b'e'),
        [.., one, other] if one == other && !is_vowel(*one, false) && !b"lsz".contains(one) => {
            word.pop();
        }
        _ if measure(word) == 1 && is_short(word) => word.push(b'e'),
        _ => {}
    }
}

/// Cuts the first ending that a word has, where what is left allows it.
fn ending(word: &mut Vec<u8>, endings: Endings, allows: impl Fn(&[u8], &str) -> bool) {
    let has = |it: &&(&str, &str)| word.len() > it.0.len() && word.ends_with(it.0.as_bytes());
    let Some((ending, instead)) = endings.iter().find(has) else { return };
    let left = word.len() - ending.len();
    if allows(&word[..left], ending) {
        word.truncate(left);
        word.extend_from_slice(instead.as_bytes());
    }
}

/// `y` is a vowel behind a consonant.
fn is_vowel(letter: u8, is_behind_consonant: bool) -> bool {
    b"aeiou".contains(&letter) || letter == b'y' && is_behind_consonant
}

/// For each letter whether it is a vowel.
fn vowels(word: &[u8]) -> impl Iterator<Item = bool> {
    word.iter().scan(false, |is_behind_consonant, letter| {
        let is_vowel = is_vowel(*letter, *is_behind_consonant);
        *is_behind_consonant = !is_vowel;
        Some(is_vowel)
    })
}

fn has_vowel(word: &[u8]) -> bool {
    word.iter().enumerate().any(|(at, letter)| is_vowel(*letter, at > 0))
}

/// How often vowels are followed by consonants.
fn measure(word: &[u8]) -> usize {
    let (mut count, mut was_vowel) = (0, false);
    for is_vowel in vowels(word) {
        count += usize::from(was_vowel && !is_vowel);
        was_vowel = is_vowel;
    }
    count
}

/// Whether it ends with consonant, vowel, consonant, the last of them none of `w`, `x`, `y`.
fn is_short(word: &[u8]) -> bool {
    let mut last = [true; 3];
    for is_vowel in vowels(word) {
        last = [last[1], last[2], is_vowel];
    }
    last == [false, true, false]
        && !word.ends_with(b"w")
        && !word.ends_with(b"x")
        && !word.ends_with(b"y")
}
