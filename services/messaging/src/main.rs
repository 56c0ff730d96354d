//! The process of messaging.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("messaging", messaging::start)
}
