//! Capturing within bounds, and running real children.

use std::io::Write;
use std::sync::{Arc, Mutex};

use super::child;
use crate::event::Content;
use crate::journal::capture::{Capture, HEAD_BYTES, TAIL_BYTES, WHOLE_BYTES_MAX};
use crate::redact::{end_of_head, start_of_tail};

fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

#[test]
fn output_is_kept_whole_up_to_the_bound_and_as_both_ends_beyond() {
    for over in [0, 1, 1_000, TAIL_BYTES, TAIL_BYTES + 7, 3 * TAIL_BYTES] {
        for chunk in [4_096, 65_537, 4 << 20] {
            let all = bytes(WHOLE_BYTES_MAX + over);
            let mut capture = Capture::default();
            all.chunks(chunk).for_each(|chunk| capture.take(chunk));
            assert_eq!(capture.seen(), all.len() as u64);
            let expect = if over == 0 {
                Content::Inline(all)
            } else {
                Content::Truncated {
                    head: all[..end_of_head(&all, HEAD_BYTES)].to_vec(),
                    tail: all[start_of_tail(&all, all.len() - TAIL_BYTES + 1)..].to_vec(),
                    len: all.len() as u64,
                }
            };
            assert!(capture.content() == Some(expect), "{over} over, in chunks of {chunk}");
        }
    }
    assert_eq!(Capture::default().content(), None);
}

/// A place to write to that a test can look into.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Fails as a closed pipe does.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn shell(script: &str, out: impl Write + Send + 'static) -> (child::Ended, Vec<u8>) {
    let err = Shared::default();
    let argv: Vec<_> = ["sh", "-c", script].iter().map(std::ffi::OsString::from).collect();
    let ended = child::run(&argv, None, Box::new(out), Box::new(err.clone())).expect("sh starts");
    let err = err.0.lock().expect("not poisoned").clone();
    (ended, err)
}

#[test]
fn a_childs_bytes_and_code_come_through() {
    let out = Shared::default();
    let (ended, err) = shell("printf 'a\\000b'; printf e >&2; exit 7", out.clone());
    assert_eq!((ended.code, ended.signal), (7, None));
    assert_eq!(out.0.lock().expect("not poisoned").as_slice(), b"a\0b");
    assert_eq!(ended.stdout.content(), Some(Content::Inline(b"a\0b".to_vec())));
    assert_eq!(err, b"e");
}

#[test]
fn a_child_ended_by_a_signal_is_128_and_its_number() {
    let (ended, _) = shell("kill -9 $$", Shared::default());
    assert_eq!((ended.code, ended.signal), (137, Some(9)));
}

#[test]
fn a_closed_output_ends_the_child_as_a_pipe_would() {
    let (ended, _) = shell("exec yes", Closed);
    assert_eq!(ended.signal, Some(13), "SIGPIPE");
}

#[test]
fn a_grandchild_that_keeps_the_pipe_does_not_hold_the_answer() {
    let started = std::time::Instant::now();
    let (ended, _) = shell("sleep 60 & echo started", Shared::default());
    assert!(ended.let_go);
    assert_eq!(ended.code, 0);
    assert!(started.elapsed().as_secs() < 30);
}
