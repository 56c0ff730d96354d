//! Compiles every .proto below portia/, and the descriptors of portia.outbox.v1, whose code the library `outbox`
//! generates.

use std::{env, error::Error, fs, path::PathBuf};

use prost::Message as _;
use prost_types::method_options::IdempotencyLevel;

/// The packages of the contract.
const PACKAGES: [&str; 7] = ["auth", "profile", "social_graph", "feed", "jobs", "news", "messaging"];

/// Served by every service, and included in the descriptors for reflection.
const OUTBOX: &str = "portia/outbox/v1/outbox.proto";

/// Messages with passwords or tokens: src/secrets.rs implements their Debug.
const SECRETS: [&str; 18] = [
    "portia.auth.v1.RegisterRequest",
    "portia.auth.v1.LoginRequest",
    "portia.auth.v1.Session",
    "portia.auth.v1.LogoutRequest",
    "portia.auth.v1.ResolveSessionRequest",
    "portia.auth.v1.ResolveSessionResponse",
    "portia.auth.v1.MemberToken",
    "portia.auth.v1.TrustedBrowser",
    "portia.auth.v1.CheckUsernameRequest",
    "portia.auth.v1.ResetPasswordRequest",
    "portia.auth.v1.ChangePasswordRequest",
    "portia.auth.v1.ReauthenticateRequest",
    "portia.auth.v1.RenewRecoveryCodesResponse",
    "portia.auth.v1.ConfirmTotpRequest",
    "portia.auth.v1.CreateTotpResponse",
    "portia.auth.v1.CreatePasskeyRequest",
    "portia.auth.v1.PasskeyAssertion",
    "portia.auth.v1.LoginWithPasskeyRequest",
];

/// The paths of RPCs with one of these values of `idempotency_level`, sorted, as a Rust array.
fn paths(descriptors: &prost_types::FileDescriptorSet, levels: &[IdempotencyLevel]) -> String {
    let mut paths: Vec<String> = Vec::new();
    for file in &descriptors.file {
        for service in &file.service {
            let methods = service.method.iter().filter(|method| {
                method.options.as_ref().is_some_and(|options| levels.contains(&options.idempotency_level()))
            });
            paths.extend(methods.map(|method| format!("/{}.{}/{}", file.package(), service.name(), method.name())));
        }
    }
    paths.sort_unstable();
    format!("{paths:?}")
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=portia");
    let files: Vec<String> = PACKAGES
        .iter()
        .flat_map(|package| {
            let own = format!("portia/{package}/v1/{package}.proto");
            let facts = format!("portia/{package}/v1/facts.proto");
            [own, facts]
        })
        .filter(|path| fs::exists(path).unwrap_or(false))
        .collect();
    let descriptors = protox::compile(&files, ["."])?;
    let described = protox::compile(files.iter().map(String::as_str).chain([OUTBOX]), ["."])?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), described.encode_to_vec())?;
    fs::write(
        out.join("idempotent.rs"),
        paths(&descriptors, &[IdempotencyLevel::Idempotent, IdempotencyLevel::NoSideEffects]),
    )?;
    fs::write(out.join("reads.rs"), paths(&descriptors, &[IdempotencyLevel::NoSideEffects]))?;
    // The kind of a fact is the full name of its message.
    let mut config = tonic_prost_build::Config::new();
    config.enable_type_names();
    tonic_prost_build::configure().skip_debug(SECRETS).compile_fds_with_config(descriptors, config)?;
    Ok(())
}
