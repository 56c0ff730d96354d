//! Generates JSON types and handlers of the API from the messages and RPCs of the contract whose options ask for it
//! (portia/rest/v1/options.proto).
#![expect(clippy::panic, reason = "a mistake in the contract ends the build with a sentence")]

mod contract;
mod enums;
mod inputs;
mod objects;
mod routes;

use std::{env, error::Error, fs, path::PathBuf};

use contract::Contract;
use routes::Handler;

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
        let mut handlers = String::new();
        for (method, route) in contract.routes(package) {
            let handler = Handler::of(&contract, package, &method, &route);
            code += handler.input();
            handlers += &handler.render();
        }
        fs::write(out.join(format!("{package}.rs")), code)?;
        fs::write(out.join(format!("{package}_handlers.rs")), handlers)?;
    }
    Ok(())
}
