//! The process `profile`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("profile", portia_proto::DESCRIPTORS, profile::start)
}
