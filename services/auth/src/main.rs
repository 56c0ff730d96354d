//! The process `auth`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("auth", auth::start)
}
