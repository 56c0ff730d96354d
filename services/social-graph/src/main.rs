//! The process of social-graph.

use std::process::ExitCode;

fn main() -> ExitCode {
    chassis::main("social-graph", social_graph::start)
}
