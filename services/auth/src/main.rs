//! The process `auth`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("auth", portia_proto::DESCRIPTORS, auth::start)
}
