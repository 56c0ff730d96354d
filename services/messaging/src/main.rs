//! The process `messaging`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("messaging", portia_proto::DESCRIPTORS, messaging::start)
}
