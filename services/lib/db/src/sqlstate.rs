//! The SQLSTATEs of a Postgres that refuses a statement for now, whatever the statement is.

/// Why Postgres refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It writes nothing and still reads: the disk is full, or a failover made it a standby.
    NotWritable,
    /// Connections fail or end, it starts or stops, or lacks memory or connections.
    Unavailable,
}

impl Refusal {
    /// Returns the refusal of a code; `None` when the error concerns the statement.
    pub(crate) fn of(sqlstate: &str) -> Option<Self> {
        match sqlstate {
            // disk_full; read_only_sql_transaction: no transaction of a service that writes is declared read only.
            "53100" | "25006" => Some(Self::NotWritable),
            // io_error: the disk fails, and Postgres usually ends and recovers.
            "58030" => Some(Self::Unavailable),
            // Connection exceptions, insufficient resources, operator intervention.
            code if ["08", "53", "57P"].iter().any(|class| code.starts_with(class)) => Some(Self::Unavailable),
            _ => None,
        }
    }
}

/// Whether Postgres refused the statement for now, and would accept it later: see `PostgreSQL Error Codes` in its manual.
#[must_use]
pub fn is_refused_for_now(sqlstate: &str) -> bool {
    Refusal::of(sqlstate).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_cannot_write_differs_from_one_that_is_away() {
        for code in ["53100", "25006"] {
            assert_eq!(Refusal::of(code), Some(Refusal::NotWritable), "{code}");
        }
        // Too many connections, out of memory, a restart, a crash, a recovery, a lost connection, a failing disk.
        for code in ["53300", "53200", "57P01", "57P02", "57P03", "08006", "58030"] {
            assert_eq!(Refusal::of(code), Some(Refusal::Unavailable), "{code}");
        }
        // A cancelled statement, a violated constraint, a missing table, an aborted transaction, a broken index.
        for code in ["57014", "23505", "42P01", "25P02", "XX002"] {
            assert!(!is_refused_for_now(code), "{code}");
        }
    }
}
