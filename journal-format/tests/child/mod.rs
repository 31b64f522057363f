//! A child process that ends with the test that started it, however that ends.

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;

/// A child process; killed and waited for when it is dropped.
pub struct Child(pub std::process::Child);

impl Child {
    pub fn start(command: &mut Command) -> Self {
        Self(command.stdin(Stdio::piped()).spawn().unwrap())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // One that has ended cannot be killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// In the child: ends the process when whoever started it is gone, and its end of the pipe with it.
pub fn end_with_parent() {
    thread::spawn(|| {
        let mut byte = [0];
        while matches!(std::io::stdin().read(&mut byte), Ok(1..)) {}
        std::process::exit(0);
    });
}
