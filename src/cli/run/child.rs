//! Runs a child as if nobody stood between: its bytes go through as they come, signals reach it,
//! and its exit code is the answer.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use signal_hook::consts::{
    SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGQUIT, SIGSEGV, SIGSYS, SIGTERM, SIGTRAP,
    SIGUSR1, SIGUSR2,
};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::{SigId, flag, low_level};

use crate::journal::capture::Capture;

/// After the child's end, how long its pipes may stay open and silent before they are let go.
///
/// A daemon that the child left behind keeps them open for ever; a shell would not wait for it.
const LINGER: Duration = Duration::from_secs(3);
const CHUNK_BYTES: usize = 64 << 10;

#[derive(Debug)]
pub struct Ended {
    /// Its exit code, or 128 and the signal's number.
    pub code: u8,
    pub signal: Option<i32>,
    /// While it ran, a signal that asks a process to end came to us.
    pub told_to_end: bool,
    pub duration_ms: u64,
    pub stdout: Capture,
    pub stderr: Capture,
    /// Something it left behind still held its output when we stopped listening.
    pub let_go: bool,
}

/// Signals by which a program ends that does what it must not: they tell of the program.
const CRASHES: [i32; 7] = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP];

impl Ended {
    /// Whether somebody ended it before it was through: what it printed says nothing of the code then.
    pub fn is_interrupted(&self) -> bool {
        self.told_to_end || self.signal.is_some_and(|signal| !CRASHES.contains(&signal))
    }
}

/// Runs `argv` to its end, printing to `out` and `err` what it prints.
///
/// Standard input and environment are the caller's own, and so is the working folder unless `cwd`
/// names another.
pub fn run(
    argv: &[OsString],
    cwd: Option<&Path>,
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
) -> io::Result<Ended> {
    let Some((program, arguments)) = argv.split_first() else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let began = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(cwd) = cwd {
        command.current_dir(cwd);
    }
    let mut child = command.spawn()?;
    let pid = Pid::from_child(&child);
    // Only now: a child inherits what was ignored before, and loses what was caught.
    let forwarding = Forwarding::to(pid);
    let (done, pumps) = mpsc::channel();
    let stdout = pump(child.stdout.take(), out, done.clone());
    let stderr = pump(child.stderr.take(), err, done);
    let (status, told_to_end) = wait(&mut child, pid, forwarding)?;
    let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let let_go = !drained(&pumps, [&stdout, &stderr]);
    let signal = status.signal();
    let code = match (status.code(), signal) {
        (Some(code), _) => code,
        (None, signal) => 128 + signal.unwrap_or(0),
    };
    Ok(Ended {
        code: u8::try_from(code & 0xff).unwrap_or(u8::MAX),
        signal,
        told_to_end,
        duration_ms,
        stdout: std::mem::take(&mut *lock(&stdout)),
        stderr: std::mem::take(&mut *lock(&stderr)),
        let_go,
    })
}

/// Waits for the end first and reaps after: a signal must never reach a stranger with its number. Says
/// whether we were told to end meanwhile.
fn wait(
    child: &mut Child,
    pid: Pid,
    forwarding: io::Result<Forwarding>,
) -> io::Result<(std::process::ExitStatus, bool)> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(pid), options) {
            Err(rustix::io::Errno::INTR) => {}
            Err(other) => return Err(other.into()),
            Ok(_) => break,
        }
    }
    let told_to_end = forwarding.is_ok_and(|it| it.is_told_to_end());
    Ok((child.wait()?, told_to_end))
}

/// A thread that copies what it reads to `to` and keeps what fits.
fn pump(
    from: Option<impl Read + Send + 'static>,
    mut to: Box<dyn Write + Send>,
    done: Sender<()>,
) -> Arc<Mutex<Capture>> {
    let capture = Arc::new(Mutex::new(Capture::default()));
    let kept = Arc::clone(&capture);
    std::thread::spawn(move || {
        if let Some(mut from) = from {
            let mut chunk = vec![0; CHUNK_BYTES];
            loop {
                let count = match from.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(count) => count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => break, // a pipe that cannot be read has nothing more to give
                };
                lock(&kept).take(&chunk[..count]);
                if to.write_all(&chunk[..count]).and_then(|()| to.flush()).is_err() {
                    // Our reader is gone. Closing the pipe tells the child so, as without us.
                    break;
                }
            }
        }
        // The receiver may be gone already: then nobody waits.
        let _ = done.send(());
    });
    capture
}

/// Waits until both pumps are through; false where they are silent for [`LINGER`] and still open.
fn drained(pumps: &Receiver<()>, captures: [&Arc<Mutex<Capture>>; 2]) -> bool {
    let seen = || captures.iter().map(|capture| lock(capture).seen()).sum::<u64>();
    let mut open = captures.len();
    let mut before = seen();
    while open > 0 {
        match pumps.recv_timeout(LINGER) {
            Ok(()) => open -= 1,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let now = seen();
                if now == before {
                    return false;
                }
                before = now;
            }
        }
    }
    true
}

/// A pump that panicked leaves what it had captured.
fn lock(capture: &Mutex<Capture>) -> MutexGuard<'_, Capture> {
    capture.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Signals that ask a process to end.
const ENDING: [i32; 4] = [SIGINT, SIGQUIT, SIGTERM, SIGHUP];

/// Forwards signals to one child until it is dropped. While it lives they do not end us: the
/// record of the child's end is still to be written.
pub struct Forwarding {
    signals: Handle,
    /// One that asks a process to end has come. Set where it is caught, for its thread may be late, and
    /// by the thread, for it may come before the flags are there.
    told_to_end: Arc<AtomicBool>,
    flags: Vec<SigId>,
    thread: Option<JoinHandle<()>>,
}

impl Forwarding {
    pub fn to(pid: Pid) -> io::Result<Self> {
        let mut signals = Signals::new([SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2])?;
        let handle = signals.handle();
        let told_to_end = Arc::new(AtomicBool::new(false));
        let flag = |signal| flag::register(signal, Arc::clone(&told_to_end));
        let flags = ENDING.map(flag).into_iter().flatten().collect();
        // A keyboard's interrupt reaches the whole foreground group, the child among it: handing
        // it on would be a second one, which many programs take for "at once".
        let keyboard = io::stdin().is_terminal();
        let told = Arc::clone(&told_to_end);
        let thread = std::thread::spawn(move || {
            for number in signals.forever() {
                if ENDING.contains(&number) {
                    told.store(true, Ordering::SeqCst);
                }
                if keyboard && matches!(number, SIGINT | SIGQUIT) {
                    continue;
                }
                if let Some(signal) = Signal::from_named_raw(number) {
                    // It may have ended meanwhile: then there is nobody to tell.
                    let _ = kill_process(pid, signal);
                }
            }
        });
        Ok(Self { signals: handle, told_to_end, flags, thread: Some(thread) })
    }

    pub fn is_told_to_end(&self) -> bool {
        self.told_to_end.load(Ordering::SeqCst)
    }
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        for flag in self.flags.drain(..) {
            low_level::unregister(flag);
        }
        self.signals.close();
        if let Some(thread) = self.thread.take() {
            // It only sends signals; had it panicked, the child ran on all the same.
            let _ = thread.join();
        }
    }
}
