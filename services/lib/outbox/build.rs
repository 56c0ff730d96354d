//! Compiles portia.outbox.v1, the only contract that a library serves.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../../../proto/portia/outbox/v1");
    let descriptors = protox::compile(["portia/outbox/v1/outbox.proto"], ["../../../proto"])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
