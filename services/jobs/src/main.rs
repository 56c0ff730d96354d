//! The process of jobs.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("jobs", portia_proto::DESCRIPTORS, jobs::start)
}
