//! The process `social-graph`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("social-graph", portia_proto::DESCRIPTORS, social_graph::start)
}
