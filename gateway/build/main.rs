//! Generates the JSON types of the API from the messages of the contract that have a name for it (portia/rest/v1/options.proto).
#![expect(clippy::panic, reason = "a mistake in the contract ends the build with a sentence")]

mod contract;
mod enums;
mod objects;

use std::{env, error::Error, fs, path::PathBuf};

use contract::Contract;

/// The contract, as seen from the gateway.
const PROTO: &str = "../proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={PROTO}/portia");
    println!("cargo:rerun-if-changed=build");
    let contract = Contract::compile(PROTO)?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    for package in contract.packages() {
        let mut code = String::new();
        contract.enums(package).for_each(|each| code += &enums::render(&contract, package, &each));
        contract.objects(package).for_each(|each| code += &objects::render(&contract, package, &each));
        fs::write(out.join(format!("{package}.rs")), code)?;
    }
    Ok(())
}
