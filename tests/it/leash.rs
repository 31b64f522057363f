//! Child processes that end with their test, whatever becomes of it.

use std::io;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, Output};

/// A child that is killed and waited for when this is dropped.
pub struct Leash(Option<Child>);

/// Starts a program.
#[track_caller]
pub fn start(command: &mut Command) -> Leash {
    command.spawn().map(Leash::of).expect("the program starts")
}

impl Leash {
    /// Of a child that was started.
    pub fn of(child: Child) -> Self {
        Self(Some(child))
    }

    /// Waits for its end, and gives what it printed.
    pub fn output(mut self) -> io::Result<Output> {
        self.0.take().expect("a child").wait_with_output()
    }
}

impl Deref for Leash {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.0.as_ref().expect("a child")
    }
}

impl DerefMut for Leash {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().expect("a child")
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill(); // it ended
            let _ = child.wait();
        }
    }
}
