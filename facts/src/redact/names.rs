//! What a name says of its value: that it is a secret, or only something about one.

/// A list of words, for those that would fill pages: apart by blanks and ends of lines.
macro_rules! list {
    ($text:literal) => {{
        const COUNT: usize = crate::redact::names::split::<0>($text).1;
        const { &crate::redact::names::split::<COUNT>($text).0 }
    }};
}
pub(super) use list;

/// The first words of a text, and how many it has.
pub(super) const fn split<const N: usize>(text: &str) -> ([&str; N], usize) {
    let (mut words, mut count, mut rest) = ([""; N], 0, text.trim_ascii());
    while !rest.is_empty() {
        let mut end = 0;
        while end < rest.len() && !rest.as_bytes()[end].is_ascii_whitespace() {
            end += 1;
        }
        let (word, behind) = rest.split_at(end);
        if count < N {
            words[count] = word;
        }
        count += 1;
        rest = behind.trim_ascii_start();
    }
    (words, count)
}

/// What names of secrets have in them; the keywords by which they are found.
pub(super) const WORDS: &[&str] = list!(
    "secret token passw passphrase passcode api_key apikey api-key api.key access_key
     access-key accesskey private_key private-key privatekey private.key credential auth_key
     auth-key authkey encryption_key encryption-key encryptionkey signing_key signing-key
     signingkey master_key master-key masterkey account_key accountkey account-key shared_key
     sharedkey service_key license_key app_key app-key appkey admin_key pwd _pat= _psw
     client-key-data deploy_key license-key webhook_url _dsn jwt_key session_key
     connection_string connectionstring storage_key crypt_key cookie_key _key'] _key\"] db_pass
     dbpass user_pass smtp_pass mail_pass ftp_pass admin_pass root_pass redis_pass mysql_pass
     pg_pass auth_salt logged_in_key logged_in_salt nonce_key nonce_salt
     $pass"
);

/// The letters of each of them.
const LETTERS: [u32; WORDS.len()] = {
    let (mut all, mut at) = ([0; WORDS.len()], 0);
    while at < WORDS.len() {
        all[at] = letters(WORDS[at].as_bytes());
        at += 1;
    }
    all
};

/// Which letters a text has: a word that has others is not in it.
const fn letters(text: &[u8]) -> u32 {
    let (mut all, mut at) = (0, 0);
    while at < text.len() {
        all |= 1 << (text[at] & 31);
        at += 1;
    }
    all
}

/// Whether a name in lower case has one of [`WORDS`] in it.
pub(super) fn has_word(lower: &[u8]) -> bool {
    let there = letters(lower);
    let mut words = WORDS.iter().zip(LETTERS);
    words.any(|(word, letters)| letters & !there == 0 && contains(lower, word.as_bytes()))
}

/// Words of names whose value people choose: it need not look random.
const CHOSEN: &[&str] =
    &["passw", "passphrase", "passcode", "pwd", "psw", "_pass", "dbpass", "$pass"];

/// How a name ends that says where a secret is, or how many or how old, but not what.
const ABOUT: &[&str] = list!(
    "file filename path dir name type id ids count limit max min len length size ttl expiry url
     uri field hash budget usage expires expiration expiresin endpoint prefix suffix ref env
     envvar header label key_id keyid regex pattern policy hint placeholder arn version kind
     index position status enabled required location mode class rule algorithm alg date at age
     digest checksum fingerprint format error message text title description provider store
     manager helper host port reset strength rotation secs seconds ms days per used rate cost
     price offset start end pos stdin tree stream"
);

/// Words in a name that has nothing to do with secrets.
const OTHER: &[&str] = list!(
    "tokeniz tokens public_key publickey public-key secretary csstoken design_token nexttoken
     next_token next-token pagetoken page_token continuation idempoten token_kind"
);

/// Whether a name's value is something about a secret, and none.
pub(super) fn is_about(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    let has = |word: &&str| contains(&lower, word.as_bytes());
    let webhook = contains(&lower, b"webhook_url") || contains(&lower, b"webhookurl");
    !webhook && (OTHER.iter().any(has) || ABOUT.iter().any(|end| ends(name, &lower, end)))
        || lower.ends_with(b"ize")
        || lower.ends_with(b"ized")
        || name == b"PWD"
        || name == b"OLDPWD"
}

/// Whether the last word of a name, or its plural, is this.
fn ends(name: &[u8], lower: &[u8], word: &str) -> bool {
    let last = lower.last();
    if last != Some(&b's') && last != word.as_bytes().last() {
        return false;
    }
    let ended = |lower: &[u8]| {
        let Some(rest) = lower.strip_suffix(word.as_bytes()) else { return false };
        let first = name.get(rest.len()).copied().unwrap_or_default();
        match rest.last() {
            None => true,
            Some(last) if !last.is_ascii_alphanumeric() => true,
            // `tokenPath`, but not `meerkat`.
            Some(_) => first.is_ascii_uppercase() && name[rest.len() - 1].is_ascii_lowercase(),
        }
    };
    ended(lower) || lower.strip_suffix(b"s").is_some_and(ended)
}

/// Whether a name has a word in it that says its value is a secret.
pub(super) fn is_secret(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    let more = ["key", "auth", "_pat", "-pat", "pass", "cred", "dsn"];
    has_word(&lower) || more.iter().any(|word| contains(&lower, word.as_bytes()))
}

/// Whether people choose the values of such a name.
pub(super) fn is_chosen(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    CHOSEN.iter().any(|word| contains(&lower, word.as_bytes()))
}

/// Names of JSON members whose string is a secret, as letters and digits alone.
pub(super) const MEMBERS: &[&str] = list!(
    "password passwd passphrase passcode secret apikey secretkey accesskey privatekey
     clientsecret accesstoken refreshtoken authtoken idtoken sessiontoken bearertoken
     secretaccesskey authorization credentials token pwd encryptionkey signingkey masterkey
     apitoken accountkey authkey"
);

/// Whether a JSON member of this name holds a secret.
pub(super) fn is_member(name: &[u8]) -> bool {
    let mut plain = name.to_ascii_lowercase();
    plain.retain(u8::is_ascii_alphanumeric);
    // `token` alone ends too many names: of limits, of counts.
    let ends = |known: &&str| known.len() > "token".len() && plain.ends_with(known.as_bytes());
    MEMBERS.iter().any(|known| known.as_bytes() == plain || ends(known))
}

pub(super) fn contains(text: &[u8], word: &[u8]) -> bool {
    let (Some(first), Some(last)) = (word.first(), text.len().checked_sub(word.len())) else {
        return word.is_empty();
    };
    let mut at = 0;
    // A loop costs a third of what windows do where nothing is optimised.
    while at <= last {
        if text[at] == *first && text[at..].starts_with(word) {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether a name cannot be one of an id or a hash, as `token` can.
pub(super) fn is_strong(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    let strong = ["secret", "passw", "passphrase", "api_key", "apikey", "api-key", "access_key"];
    let strong = strong.iter().chain(&["accesskey", "private_key", "privatekey", "encryption"]);
    let mut strong = strong.chain(&["signing", "master", "auth_token", "authtoken", "auth-token"]);
    strong.any(|word| contains(&lower, word.as_bytes()))
}
