//! Who signs: a key that lies open, one whose passphrase is asked for, or ssh's own program.

use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::cli::{CliError, Context, Result, ask};
use crate::journal::enclosure;
use crate::journal::tlog::{Key, NAMESPACE, PublicKey, Sign, Signed, SshKey, TlogError, blob};

const PASSPHRASE_BYTES_MAX: u64 = 4 << 10;

/// How a key with a passphrase is opened.
#[derive(clap::Args, Debug, Default)]
pub struct Unlock {
    /// The key's passphrase is the first line of this file, `-`: of standard input [default: ask]
    #[arg(long, value_name = "FILE")]
    pub passphrase_file: Option<PathBuf>,
}

impl Unlock {
    /// Whether nobody says the passphrase.
    pub fn is_unasked(&self) -> bool {
        self.passphrase_file.is_none() && !std::io::stdin().is_terminal()
    }

    pub fn passphrase(&self, question: &str, context: &mut Context) -> Result<Vec<u8>> {
        let Some(path) = &self.passphrase_file else {
            let what = "the key has a passphrase, and nobody to ask for it: --passphrase-file FILE";
            return match std::io::stdin().is_terminal() {
                true => ask::unseen(question, context),
                false => Err(CliError::Refused { what }),
            };
        };
        let bytes = match path.as_os_str() == "-" {
            true => {
                let mut bytes = Vec::new();
                let mut input = std::io::stdin().lock().take(PASSPHRASE_BYTES_MAX);
                input.read_to_end(&mut bytes).map_err(CliError::Input)?;
                bytes
            }
            false => enclosure::read(path, PASSPHRASE_BYTES_MAX)
                .map_err(|source| CliError::io("read", path, source))?,
        };
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        match line.is_empty() {
            true => Err(CliError::Refused { what: "the passphrase is empty" }),
            false => Ok(line.to_vec()),
        }
    }
}

pub fn signer(key: Key, unlock: &Unlock, context: &mut Context) -> Result<Box<dyn Sign>> {
    Ok(match key {
        Key::Open(key) => Box::new(key),
        Key::Epochs(key) => Box::new(key),
        Key::Ssh(key) => Box::new(Ssh(key)),
        Key::Locked(key) => {
            let passphrase = unlock.passphrase("Passphrase of the key: ", context)?;
            Box::new(key.unlock(&passphrase)?)
        }
    })
}

/// Has `ssh-keygen -Y sign` sign, by the agent's key or that of a file beside the public one.
pub struct Ssh(pub SshKey);

impl Sign for Ssh {
    fn public(&self) -> PublicKey {
        self.0.public.clone()
    }

    fn signature(&self, text: &str) -> Result<Vec<u8>, TlogError> {
        let refused = |what: String| TlogError::Refused { what };
        let ran = || {
            let mut command = Command::new("ssh-keygen");
            command.args(["-Y", "sign", "-n", NAMESPACE, "-f"]).arg(&self.0.path);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn()?;
            if let Some(mut input) = child.stdin.take() {
                match input.write_all(text.as_bytes()) {
                    // It ended before it read: it says why.
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                    written => written?,
                }
            }
            child.wait_with_output()
        };
        let ran =
            ran().map_err(|error| refused(format!("ssh-keygen could not be run: {error}")))?;
        let signature = blob(&String::from_utf8_lossy(&ran.stdout));
        let holds =
            |it: &Vec<u8>| matches!(self.0.public.verify(text.as_bytes(), it), Signed::By { .. });
        signature.filter(holds).ok_or_else(|| {
            let said = String::from_utf8_lossy(&ran.stderr).trim().replace('\n', "; ");
            refused(format!("ssh-keygen did not sign with {}: {said}", self.0.path.display()))
        })
    }
}
