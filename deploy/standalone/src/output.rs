//! The standard output of the program. A reader that left, as `head` does, is no error: nothing more is shown, and the work goes on.

use std::io::{self, ErrorKind, Write as _};

/// Prints a text.
///
/// # Errors
/// When the output cannot be written for another reason than its reader, such as a full disk.
pub fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints a line about the progress of work, which does not depend on its being shown.
pub fn print_progress(line: &str) {
    if let Err(error) = print(&format!("{line}\n")) {
        tracing::warn!(%error, "standard output cannot be written");
    }
}
