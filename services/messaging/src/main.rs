//! The process of messaging.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("messaging", portia_proto::DESCRIPTORS, messaging::start)
}
