//! The statuses with which the streams of facts end.

use std::collections::HashMap;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use primitives::error::{ErrorChain, ErrorKind, new_status};

/// The reason of OUT_OF_RANGE when the consumer applied other facts before the cursor.
pub(super) const RESTORED: &str = "RESTORED";

/// The status for a failed database: the consumer retries.
pub(super) fn database_unavailable(error: &sqlx::Error) -> Status {
    tracing::warn!(error = %ErrorChain(error), "facts cannot be read");
    new_status(ErrorKind::Unavailable, "DATABASE_UNAVAILABLE", "Facts cannot be read at the moment.")
}

/// The status for a stopping process: another replica or the next process continues.
pub(super) fn stopping() -> Status {
    new_status(ErrorKind::Unavailable, "LEAVING", "This process is stopping.")
}

/// The status for a database that was restored during a stream: the consumer connects again and states its position.
pub(super) fn other_history() -> Status {
    new_status(ErrorKind::Unavailable, "OTHER_HISTORY", "The database continues in another history.")
}

/// The status for a position from which no facts follow here: the consumer takes a snapshot.
pub(super) fn out_of_range(reason: &str, message: String) -> Status {
    let details = ErrorDetails::with_error_info(reason, "chassis.portia", HashMap::<String, String>::new());
    Status::with_error_details(Code::OutOfRange, message, details)
}
