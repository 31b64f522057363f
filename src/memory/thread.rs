//! Threads of messages: appended only, equal ones kept, nothing evicted.

use super::kv::json;
use super::operation::Operation;
use super::state::{Message, ThreadSummary};
use super::{Result, names};
use crate::event::{Body, MessageAppended, MessagePopped, ThreadCleared};

impl Operation<'_> {
    /// Appends a message to a thread, which begins with its first; `content` is any JSON. Gives its number.
    pub fn thread_append(
        &mut self,
        branch: &str,
        thread: &str,
        role: &str,
        content: &str,
    ) -> Result<u64> {
        let (branch, thread) = self.thread(branch, thread)?;
        names::check("role", role)?;
        self.no_secret("role", role)?;
        let content = json("MessageAppended", "the message", content)?;
        let number = self.state()?.view().last_number(&branch, &thread)? + 1;
        let (role, origin) = (role.to_owned(), self.origin());
        let appended = MessageAppended { branch, thread, number, role, content, origin };
        self.record(Body::MessageAppended(appended))?;
        Ok(number)
    }

    /// The last messages of a thread, in their order. Nothing is recorded.
    pub fn thread_read(&mut self, branch: &str, thread: &str, most: usize) -> Result<Vec<Message>> {
        let branch = self.branch(branch)?;
        Ok(self.state()?.view().messages(&branch, thread, most)?)
    }

    /// The threads in which a branch sees messages. Nothing is recorded.
    pub fn thread_list(&mut self, branch: &str) -> Result<Vec<ThreadSummary>> {
        let branch = self.branch(branch)?;
        Ok(self.state()?.view().threads(&branch)?)
    }

    /// Takes the last message back, and gives it; `None` where there is none.
    pub fn thread_pop(&mut self, branch: &str, thread: &str) -> Result<Option<Message>> {
        let (branch, thread) = self.thread(branch, thread)?;
        let Some(last) = self.state()?.view().messages(&branch, &thread, 1)?.pop() else {
            return Ok(None);
        };
        let (number, origin) = (last.number, self.origin());
        self.record(Body::MessagePopped(MessagePopped { branch, thread, number, origin }))?;
        Ok(Some(last))
    }

    /// Lets a thread begin anew; says how many messages were seen in it.
    pub fn thread_clear(&mut self, branch: &str, thread: &str) -> Result<u64> {
        let (branch, thread) = self.thread(branch, thread)?;
        let messages = self.state()?.view().count(&branch, &thread)?;
        if messages > 0 {
            let origin = self.origin();
            let cleared = ThreadCleared { branch, thread, messages, origin };
            self.record(Body::ThreadCleared(cleared))?;
        }
        Ok(messages)
    }

    fn thread(&mut self, branch: &str, thread: &str) -> Result<(String, String)> {
        names::check_key_of("thread", thread)?;
        self.no_secret("thread", thread)?;
        Ok((self.branch(branch)?, thread.to_owned()))
    }
}
