//! `annals key`: the key that signs checkpoints.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::checkpoint::signer::{Ssh, Unlock, signer};
use super::command::verbs;
use super::{CliError, Context, Exit, Result};
use crate::journal::project::home;
use crate::journal::tlog::{EPOCH_DAYS_MAX, Key, Keys, NewKey, Sign, SshKey, generate, is_name};
use crate::journal::{enclosure, withheld};

const SSH_LINE_BYTES_MAX: u64 = 16 << 10;

/// Make, show or change the key that signs checkpoints
///
/// An ed25519 key, in `~/.config/annals/signing.key` (mode 0600, outside of every project). Give others the public
/// line that `show` prints: `annals verify --checkpoint FILE --key LINE` believes nobody else.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

verbs! {
    enum Verb {
        /// Make a key, where there is none
        New(New) => new,
        /// Print the public key
        Show(None) => show,
        /// Make another key in the place of the one there is
        ///
        /// The new one is of the same kind, behind the same passphrase or for epochs as long, unless another is named.
        /// Prints a note, signed by both, that says so. What the old one signed stays valid by its public line,
        /// which `signing.pub` beside the key keeps.
        Rotate(Rotate) => rotate,
    }
}

#[derive(clap::Args, Debug)]
struct None {}

/// What kind of key.
#[derive(clap::Args, Debug)]
struct How {
    /// Behind a passphrase: nothing is signed by itself then
    #[arg(long, conflicts_with_all = ["epochs", "ssh"])]
    passphrase: bool,
    /// One that changes by itself after so many days, the old one erased: who takes the machine over cannot sign as if
    /// it had been earlier
    #[arg(long, value_name = "DAYS", conflicts_with = "ssh", value_parser = clap::value_parser!(u32).range(1..=i64::from(EPOCH_DAYS_MAX)))]
    epochs: Option<u32>,
    /// The one of ssh's (ed25519) with this public file, by ssh-keygen or an agent: nothing is signed by itself then
    #[arg(long, value_name = "FILE")]
    ssh: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct New {
    /// Who signs, without spaces and + [default: user and machine]
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    unlock: Unlock,
}

#[derive(clap::Args, Debug)]
struct Rotate {
    #[command(flatten)]
    how: How,
    /// One that lies open
    #[arg(long, conflicts_with_all = ["passphrase", "epochs", "ssh"])]
    open: bool,
    #[command(flatten)]
    unlock: Unlock,
}

#[derive(Serialize)]
struct Shown {
    name: String,
    /// As signed notes write it.
    public: String,
    path: String,
    /// How it is kept: `open`, `passphrase`, `ssh` or `epochs`.
    kind: &'static str,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.verb.run(context)
}

fn keys() -> Result<Keys> {
    let what = "there is no home folder for keys: set HOME";
    Keys::of_user().ok_or(CliError::Refused { what })
}

impl How {
    /// What is asked for in the place of a key: the same kind where nothing is.
    fn instead_of(self, old: &Key, open: bool) -> Result<Self> {
        let is_named = open || self.passphrase || self.epochs.is_some() || self.ssh.is_some();
        let (passphrase, epochs) = match old {
            _ if is_named => return Ok(self),
            Key::Open(_) => (false, Option::None),
            Key::Locked(_) => (true, Option::None),
            Key::Epochs(old) => (false, Some(old.days())),
            Key::Ssh(_) => {
                let what = "the key is one of ssh's: name another by --ssh FILE, or a kind: --passphrase, --epochs DAYS, --open";
                return Err(CliError::Refused { what });
            }
        };
        Ok(Self { passphrase, epochs, ssh: Option::None })
    }

    /// `again`: the passphrase of the key before, which the new one gets where no other is asked for.
    fn make(
        &self,
        name: &str,
        again: Option<Vec<u8>>,
        unlock: &Unlock,
        context: &mut Context,
    ) -> Result<(Box<dyn Sign>, Key)> {
        if let Some(path) = &self.ssh {
            let key = ssh(path, name)?;
            return Ok((Box::new(Ssh(key.clone())), Key::Ssh(key)));
        }
        let is_known = again.is_some();
        let passphrase = match (self.passphrase, again) {
            (true, Some(again)) => again,
            (true, None) => unlock.passphrase("A passphrase for the new key: ", context)?,
            (false, _) => Vec::new(),
        };
        if self.passphrase && !is_known && unlock.passphrase_file.is_none() {
            let again = unlock.passphrase("Once more: ", context)?;
            let what = "these are two passphrases";
            (again == passphrase).then_some(()).ok_or(CliError::Refused { what })?;
        }
        let how = match (self.epochs, self.passphrase) {
            (Some(days), _) => NewKey::Epochs(days),
            (_, true) => NewKey::Passphrase(&passphrase),
            (_, false) => NewKey::Open,
        };
        Ok(generate(name, how)?)
    }
}

fn ssh(path: &Path, name: &str) -> Result<SshKey> {
    let bytes = enclosure::read(path, SSH_LINE_BYTES_MAX);
    let bytes = bytes.map_err(|source| CliError::io("read", path, source))?;
    let whole = std::path::absolute(path).map_err(|source| CliError::io("find", path, source))?;
    let what = "this is no public key of the kind ssh-ed25519";
    SshKey::of(&String::from_utf8_lossy(&bytes), name, whole).ok_or(CliError::Refused { what })
}

fn new(args: New, context: &mut Context) -> Result<Exit> {
    let name = match args.name {
        Some(name) => name,
        Option::None => format!("annals@{}", home::machine_label()).replace(['+', ' '], "-"),
    };
    if !is_name(&name) {
        return Err(CliError::Refused {
            what: "a key's name has no spaces and no +, and at most 200 bytes",
        });
    }
    let failed = |source| CliError::io("read", &withheld::file().unwrap_or_default(), source);
    if withheld::is_in(&name).map_err(failed)? {
        let what =
            "that name holds a secret, or what was redacted, and would stand in all that is signed";
        return Err(CliError::Refused { what });
    }
    let (_, kept) = args.how.make(&name, Option::None, &args.unlock, context)?;
    keys()?.make(&kept)?;
    show(None {}, context)
}

fn show(_: None, context: &mut Context) -> Result<Exit> {
    let keys = keys()?;
    let what = "there is no key yet: annals key new";
    let key = keys.key()?.ok_or(CliError::Refused { what })?;
    let (kind, key) = (key.kind().as_str(), key.public());
    let (name, public) = (key.name().to_owned(), key.to_string());
    let path = keys.path().to_string_lossy().into_owned();
    if !context.output.as_json(&Shown { name, public: public.clone(), path, kind })? {
        context.output.line(public)?;
    }
    Ok(Exit::Fine)
}

fn rotate(args: Rotate, context: &mut Context) -> Result<Exit> {
    let keys = keys()?;
    let what = "there is no key to rotate: annals key new";
    let old = keys.key()?.ok_or(CliError::Refused { what })?;
    // One that is asked for anew is another, unless a file says it.
    let is_same = !args.how.passphrase || args.unlock.passphrase_file.is_some();
    let how = args.how.instead_of(&old, args.open)?;
    let name = old.public().name().to_owned();
    let (old, again): (Box<dyn Sign>, _) = match old {
        Key::Locked(old) => {
            let passphrase = args.unlock.passphrase("Passphrase of the key: ", context)?;
            (Box::new(old.unlock(&passphrase)?), is_same.then_some(passphrase))
        }
        old => (signer(old, &args.unlock, context)?, Option::None),
    };
    let (new, kept) = how.make(&name, again, &args.unlock, context)?;
    let note = keys.rotate(old.as_ref(), new.as_ref(), &kept)?;
    context.output.line(note.to_string().trim_end())?;
    Ok(Exit::Fine)
}
