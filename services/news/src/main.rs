//! The process of news.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("news", portia_proto::DESCRIPTORS, news::start)
}
