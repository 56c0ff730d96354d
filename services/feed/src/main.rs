//! The process `feed`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("feed", portia_proto::DESCRIPTORS, feed::start)
}
