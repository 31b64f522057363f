//! Archives in object stores: the one file that speaks to a network, and waits for it.
//!
//! What is asked for is read from the environment, as `object_store` reads it (`AWS_…`). Its errors are told in words
//! of our own: theirs quote addresses and answers.

use std::error::Error as _;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use annals_journal_format::archive::{SCHEME, address, reach_by};
use object_store::UpdateVersion;
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{ClientConfigKey, HttpError, HttpErrorKind};
use object_store::path::Path as Key;
use object_store::{BackoffConfig, Error, ObjectStore, ObjectStoreExt, PutMode, RetryConfig};
use tokio::runtime::Runtime;

use super::Kept;
use crate::journal::enclosure::{self, OpenHow};
use crate::journal::id;

/// Bytes that are asked for at once.
const PIECE_BYTES: u64 = 8 << 20;
/// How long a piece may take, tries and all.
const PIECE_TIME: Duration = Duration::from_secs(30);
/// How long it may take to send a segment.
const SEND_TIME: Duration = Duration::from_secs(600);
const CONNECT_TIME: &str = "5 seconds";
const LATE: &str = "the object store did not answer in time";
const ADDRESS_BYTES_MAX: usize = 1024;

/// Bytes of segments that are kept, in files without a name, for as long as the process lives: the newest, and one
/// however long it is.
const BROUGHT_BYTES: u64 = 1 << 30;

static BROUGHT: Mutex<Brought> = Mutex::new(Brought { segments: Vec::new(), away: None });

/// What this process has asked for.
struct Brought {
    /// Segments: their address, their length, and where they are read by position alone.
    segments: Vec<(String, u64, File)>,
    /// The store did not answer, and how.
    away: Option<(ErrorKind, String)>,
}

/// A bucket.
pub struct Store {
    runtime: Runtime,
    bucket: AmazonS3,
    /// What a request may take beside its time.
    patience: Duration,
}

impl Store {
    /// The bucket of an address. Nothing is asked yet.
    pub fn of(address: &str) -> io::Result<Self> {
        Self::patient(address, None)
    }

    /// One that is asked again for so long where it does not answer, or answers that it is busy: later each time.
    pub fn patient(address: &str, patience: Option<Duration>) -> io::Result<Self> {
        let (bucket, _) = parts(address).ok_or(ErrorKind::InvalidInput)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let retry = RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries: if patience.is_some() { usize::MAX } else { 2 },
            retry_timeout: patience.unwrap_or(PIECE_TIME),
        };
        let key = |key| AmazonS3ConfigKey::Client(key);
        let bucket = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_config(key(ClientConfigKey::ConnectTimeout), CONNECT_TIME)
            .with_config(key(ClientConfigKey::Timeout), format!("{} seconds", SEND_TIME.as_secs()))
            .with_retry(retry)
            .build()
            .map_err(|error| told(&error))?;
        Ok(Self { runtime, bucket, patience: patience.unwrap_or_default() })
    }

    /// An object's bytes, in a file without a name: of a longer one so many, and one more.
    pub fn get(&self, path: &Path, bytes_max: u64) -> io::Result<File> {
        let key = key(path)?;
        let len = self.wait(PIECE_TIME, self.bucket.head(&key))?.size;
        let end = len.min(bytes_max.saturating_add(1));
        let mut file = nameless()?;
        let mut at = 0;
        while at < end {
            let range = at..end.min(at + PIECE_BYTES);
            let piece = self.wait(PIECE_TIME, self.bucket.get_range(&key, range.clone()))?;
            if piece.len() as u64 != range.end - range.start {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            file.write_all(&piece)?;
            at = range.end;
        }
        io::Seek::rewind(&mut file)?;
        Ok(file)
    }

    /// Puts bytes where nothing is; `false`, and nothing is changed, where something is.
    pub fn put(&self, path: &Path, bytes: Vec<u8>) -> io::Result<bool> {
        let key = key(path)?;
        let put = self.bucket.put_opts(&key, bytes.into(), PutMode::Create.into());
        match self.wait(SEND_TIME, put) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            put => put.map(|_| true),
        }
    }

    /// Puts bytes in the place of what is there.
    pub fn replace(&self, path: &Path, bytes: Vec<u8>) -> io::Result<()> {
        let key = key(path)?;
        self.wait(SEND_TIME, self.bucket.put(&key, bytes.into())).map(drop)
    }

    /// What a small object holds, and which version that is; `None` where there is none.
    pub fn read(&self, path: &Path, bytes_max: u64) -> io::Result<Option<Kept>> {
        let key = key(path)?;
        let got = match self.wait(PIECE_TIME, self.bucket.get(&key)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            got => got?,
        };
        if got.meta.size > bytes_max {
            return Err(ErrorKind::FileTooLarge.into());
        }
        let version = got.meta.e_tag.clone();
        // Before 1970 is no time of ours.
        let modified_ms = u64::try_from(got.meta.last_modified.timestamp_millis()).ok();
        let bytes = self.wait(SEND_TIME, got.bytes())?.to_vec();
        Ok(Some(Kept { bytes, version, modified_ms }))
    }

    /// The last parts of the names directly below an address, of files and folders.
    pub fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        let key = key(path)?;
        let listed = self.wait(PIECE_TIME, self.bucket.list_with_delimiter(Some(&key)))?;
        let files = listed.objects.iter().filter_map(|it| it.location.filename());
        let folders = listed.common_prefixes.iter().filter_map(Key::filename);
        Ok(files.chain(folders).map(str::to_owned).collect())
    }

    /// Puts bytes in the place of this version, or where nothing is; `false` where there is another by now.
    pub fn put_behind(
        &self,
        path: &Path,
        bytes: Vec<u8>,
        version: Option<&str>,
    ) -> io::Result<bool> {
        let key = key(path)?;
        let update = |it: &str| UpdateVersion { e_tag: Some(it.to_owned()), version: None };
        let mode = version.map_or(PutMode::Create, |it| PutMode::Update(update(it)));
        match self.wait(SEND_TIME, self.bucket.put_opts(&key, bytes.into(), mode.into())) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            put => put.map(|_| true),
        }
    }

    /// Takes an object away, where there is one.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        let key = key(path)?;
        match self.wait(PIECE_TIME, self.bucket.delete(&key)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    fn wait<T>(
        &self,
        time: Duration,
        what: impl Future<Output = Result<T, Error>>,
    ) -> io::Result<T> {
        let _entered = self.runtime.enter();
        let ended = self.runtime.block_on(tokio::time::timeout(time + self.patience, what));
        ended.map_err(|_| io::Error::new(ErrorKind::TimedOut, LATE))?.map_err(|error| told(&error))
    }
}

/// Lets this process read addresses.
pub fn reach() {
    reach_by(|address, bytes_max| {
        let mut brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody waits twice.
        if let Some((kind, what)) = &brought.away {
            return Err(io::Error::new(*kind, what.clone()));
        }
        let is_kept = address.ends_with(".zst");
        let mut kept = brought.segments.iter().filter(|_| is_kept);
        if let Some((.., file)) = kept.find(|it| (&*it.0, it.1) == (address, bytes_max)) {
            return file.try_clone();
        }
        let asked = Store::of(address).and_then(|it| it.get(Path::new(address), bytes_max));
        let file = asked.inspect_err(|error| {
            if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::NotConnected) {
                brought.away = Some((error.kind(), error.to_string()));
            }
        })?;
        if is_kept {
            brought.segments.push((address.to_owned(), bytes_max, file.try_clone()?));
        }
        let bytes = |it: &[(String, u64, File)]| it.iter().map(|it| it.1).sum::<u64>();
        while brought.segments.len() > 1 && bytes(&brought.segments) > BROUGHT_BYTES {
            brought.segments.remove(0);
        }
        Ok(file)
    });
}

/// Why an address is refused. It is not quoted: it may have what is nobody's business.
pub(super) fn refusal(address: &str) -> Option<&'static str> {
    parts(address).is_none().then_some(
        "an address is s3://BUCKET or s3://BUCKET/PREFIX, of letters, digits, and .-_=+ alone; credentials and \
         endpoint are named in the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT)",
    )
}

/// The bucket of an address, and what follows.
fn parts(address: &str) -> Option<(&str, &str)> {
    let rest = address.strip_prefix(SCHEME)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"/.-_=+%".contains(&it);
    let is_sound = !bucket.is_empty()
        && address.len() <= ADDRESS_BYTES_MAX
        && rest.bytes().all(is_plain)
        && !bucket.starts_with('.')
        && !prefix.split('/').any(|it| it == "." || it == "..")
        && !prefix.contains("//");
    is_sound.then_some((bucket, prefix))
}

fn key(path: &Path) -> io::Result<Key> {
    let (_, key) = address(path).and_then(parts).ok_or(ErrorKind::InvalidInput)?;
    Key::parse(key).map_err(|_| ErrorKind::InvalidInput.into())
}

/// A file of this process alone, gone with it.
pub fn nameless() -> io::Result<File> {
    let number: String = id::entropy().iter().take(8).map(|it| format!("{it:02x}")).collect();
    let path = std::env::temp_dir().join(format!(".annals-{number}"));
    let file = enclosure::open(&path, OpenHow::CreateNew)?;
    enclosure::remove(&path)?;
    Ok(file)
}

/// An error in words that quote neither an address nor an answer.
fn told(error: &Error) -> io::Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = error.source();
    let mut kind = None;
    while let Some(error) = cause {
        kind = error.downcast_ref::<HttpError>().map(HttpError::kind).or(kind);
        cause = error.source();
    }
    let (kind, what) = match (error, kind) {
        (Error::NotFound { .. }, _) => {
            (ErrorKind::NotFound, "the object store does not have it, or no such bucket")
        }
        (Error::AlreadyExists { .. } | Error::Precondition { .. }, _) => {
            (ErrorKind::AlreadyExists, "it is in the object store already")
        }
        (Error::PermissionDenied { .. } | Error::Unauthenticated { .. }, _) => {
            (ErrorKind::PermissionDenied, "the object store refuses it to these credentials")
        }
        (_, Some(HttpErrorKind::Timeout)) => (ErrorKind::TimedOut, LATE),
        (_, Some(HttpErrorKind::Connect)) => {
            (ErrorKind::NotConnected, "the object store could not be reached")
        }
        _ => (ErrorKind::Other, "the object store could not be asked, or answers with an error"),
    };
    io::Error::new(kind, what)
}
