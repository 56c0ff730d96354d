//! The process `profile`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("profile", profile::start)
}
