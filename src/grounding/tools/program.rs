//! Runs a program: its output kept within bounds, and its whole process group ended where it takes
//! too long or is no longer wanted. What it left running in its group ends with it; only what made a
//! session of its own (`setsid`), or runs elsewhere (`docker exec`), is not reached.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use crate::journal::capture::Capture;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    ByItself,
    TooLong,
    Unwanted,
}

#[derive(Debug)]
pub struct Ran {
    pub status: ExitStatus,
    pub ended: Ended,
    pub stdout: Capture,
    pub stderr: Capture,
}

/// How long one look for output waits.
const LOOK_MS: i64 = 50;
/// After the program's end, how long something it left behind may still write, or hold its output.
const LINGER: Duration = Duration::from_millis(500);
/// Between asking a group to end and ending it.
const GRACE: Duration = Duration::from_millis(1_000);
const CHUNK_BYTES: usize = 64 << 10;
const CHUNKS: usize = 16;

/// Runs a program to its end, or for so long, with nothing on its standard input.
pub fn run(command: Command, within: Duration, stop: &AtomicBool) -> io::Result<Ran> {
    run_with(command, None, within, stop)
}

/// The same, with this on its standard input; one that does not read it all is none the worse.
pub fn run_with(
    mut command: Command,
    input: Option<&[u8]>,
    within: Duration,
    stop: &AtomicBool,
) -> io::Result<Ran> {
    let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    let group = Pid::from_child(&child);
    let watched = watch(&mut child, input.unwrap_or_default(), group, within, stop);
    if watched.is_err() {
        // Whatever went wrong, nothing is left running.
        end(group, Signal::KILL);
        child.wait()?;
    }
    watched
}

fn watch(
    child: &mut Child,
    input: &[u8],
    group: Pid,
    within: Duration,
    stop: &AtomicBool,
) -> io::Result<Ran> {
    let mut input = Input::of(child.stdin.take(), input)?;
    let mut outputs = [Output::of(child.stdout.take())?, Output::of(child.stderr.take())?];
    let began = Instant::now();
    let (mut ended, mut asked) = (Ended::ByItself, None::<Instant>);
    let status = loop {
        look(&mut outputs, &mut input)?;
        if let Some(status) = child.try_wait()? {
            break status;
        }
        match asked {
            Some(at) if at.elapsed() > GRACE => end(group, Signal::KILL),
            Some(_) => {}
            None => {
                ended = match (stop.load(Ordering::Relaxed), began.elapsed() > within) {
                    (true, _) => Ended::Unwanted,
                    (false, true) => Ended::TooLong,
                    (false, false) => continue,
                };
                end(group, Signal::TERM);
                asked = Some(Instant::now());
            }
        }
    };
    if asked.is_some() {
        // What it started goes with it.
        end(group, Signal::KILL);
    }
    input.pipe = None;
    // What still writes a log may end by itself; then it is asked to, then ended.
    let is_open = |outputs: &[Output; 2]| outputs.iter().any(|output| output.pipe.is_some());
    let over = Instant::now();
    while (is_open(&outputs) || is_alive(group)) && over.elapsed() < LINGER {
        look(&mut outputs, &mut input)?;
    }
    if is_alive(group) {
        end(group, Signal::TERM);
        let asked = Instant::now();
        while is_alive(group) && asked.elapsed() < GRACE {
            look(&mut outputs, &mut input)?;
        }
        end(group, Signal::KILL);
    }
    let [stdout, stderr] = outputs.map(|output| output.capture);
    Ok(Ran { status, ended, stdout, stderr })
}

fn is_alive(group: Pid) -> bool {
    test_kill_process_group(group).is_ok()
}

fn end(group: Pid, signal: Signal) {
    // It may have ended meanwhile: then there is nobody to end.
    let _ = kill_process_group(group, signal);
}

/// Takes what is there of both outputs and gives what is wanted of the input; waits a moment where
/// there is nothing to do.
fn look(outputs: &mut [Output; 2], input: &mut Input<'_>) -> io::Result<()> {
    let open: Vec<BorrowedFd<'_>> = outputs.iter().filter_map(Output::descriptor).collect();
    let mut polled: Vec<PollFd<'_>> =
        open.iter().map(|fd| PollFd::from_borrowed_fd(*fd, PollFlags::IN)).collect();
    let given = input.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT));
    polled.extend(given);
    let wait = Timespec { tv_sec: 0, tv_nsec: LOOK_MS * 1_000_000 };
    match poll(&mut polled, Some(&wait)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(errno) => return Err(errno.into()),
    }
    drop(polled);
    outputs.iter_mut().for_each(Output::take);
    input.give();
    Ok(())
}

struct Input<'b> {
    /// `None` once it has everything, or wants no more.
    pipe: Option<ChildStdin>,
    left: &'b [u8],
}

impl<'b> Input<'b> {
    fn of(pipe: Option<ChildStdin>, left: &'b [u8]) -> io::Result<Self> {
        if let Some(pipe) = &pipe {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(Self { pipe, left })
    }

    fn give(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        while !self.left.is_empty() {
            match pipe.write(&self.left[..self.left.len().min(CHUNK_BYTES)]) {
                Ok(count) if count > 0 => self.left = &self.left[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // It closed its input: that is for it to decide.
                Ok(_) | Err(_) => break,
            }
        }
        self.pipe = None;
    }
}

struct Output {
    /// `None` once it is closed.
    pipe: Option<Box<dyn Pipe>>,
    capture: Capture,
}

trait Pipe: Read + AsFd {}
impl<T: Read + AsFd> Pipe for T {}

impl Output {
    fn of(pipe: Option<impl Pipe + 'static>) -> io::Result<Self> {
        let Some(pipe) = pipe else {
            return Ok(Self { pipe: None, capture: Capture::default() });
        };
        fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
        Ok(Self { pipe: Some(Box::new(pipe)), capture: Capture::default() })
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(|pipe| pipe.as_fd())
    }

    /// Takes what is there, at most some chunks: the other output has its turn too.
    fn take(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        let mut chunk = vec![0; CHUNK_BYTES];
        for _ in 0..CHUNKS {
            match pipe.read(&mut chunk) {
                Ok(count) if count > 0 => self.capture.take(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // Closed, or a pipe that cannot be read and has nothing more to give.
                Ok(_) | Err(_) => {
                    self.pipe = None;
                    return;
                }
            }
        }
    }
}
