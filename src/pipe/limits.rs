//! Every limit of a pipe, on one page.

/// A longer line is skipped whole and answered with an error.
pub const LINE_BYTES_MAX: usize = 8 << 20;
/// Requests that share a commit.
pub const BATCH_REQUESTS_MAX: usize = 256;
/// Bytes of them, the last request apart.
pub const BATCH_BYTES_MAX: usize = 1 << 20;
/// What is read from the input at a time.
pub const READ_BYTES: usize = 64 << 10;
/// A request's id, as it is written.
pub const ID_BYTES_MAX: usize = 1 << 10;
pub const NAME_BYTES_MAX: usize = 256;
/// Executions begun through one pipe and not finished: each holds a lock file open.
pub const OPEN_EXECUTIONS_MAX: usize = 256;
pub const ROWS_MAX: u64 = 1_000;
/// Events recorded before the stores are caught up on the way: what a recorder must read when
/// somebody else recorded stays small.
pub const LAG_EVENTS_MAX: u64 = 4_096;
/// Events recorded before stores that are open are let go of to be caught up: so many may be sooner
/// loaded into a new file.
pub const KEPT_EVENTS_MAX: u64 = 2_048;
/// After so many seconds without a request the stores are let go of, so that they can be replaced.
pub const IDLE_S: i64 = 1;

const _: () = assert!(ID_BYTES_MAX < LINE_BYTES_MAX && BATCH_BYTES_MAX <= LINE_BYTES_MAX);
