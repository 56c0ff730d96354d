//! Compiles every .proto below portia/, and the descriptors of portia.outbox.v1, whose code the library `outbox`
//! generates.

use std::{env, error::Error, fs, path::PathBuf};

use prost::Message as _;
use prost_reflect::{DescriptorPool, EnumValueDescriptor, Value};
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

/// The macro `notification_kinds`: the values of `NotificationKind` with the options of the contract.
fn notification_kinds() -> Result<String, Box<dyn Error>> {
    const PACKAGE: &str = "portia.messaging.v1";
    let mut compiler = protox::Compiler::new(["."])?;
    compiler.include_source_info(true).include_imports(true).open_file("portia/messaging/v1/messaging.proto")?;
    // Encoded: decoded by prost, the options would lose their extensions.
    let pool = DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice())?;
    let kinds = pool.get_enum_by_name(&format!("{PACKAGE}.NotificationKind")).ok_or("there is no NotificationKind")?;
    let option = |value: &EnumValueDescriptor, name: &str| {
        let extension = pool.get_extension_by_name(&format!("{PACKAGE}.{name}"))?;
        let options = value.options();
        options.has_extension(&extension).then(|| options.get_extension(&extension).into_owned())
    };
    let topics = pool.get_enum_by_name(&format!("{PACKAGE}.PushTopic")).ok_or("there is no PushTopic")?;

    let (mut switches, mut always) = (String::new(), String::new());
    for value in kinds.values().filter(|value| value.number() != 0) {
        let name = words_after(value.name(), "NOTIFICATION_KIND_")?;
        let topic = match option(&value, "topic") {
            Some(Value::EnumNumber(number)) => {
                let topic = topics.get_value(number).ok_or("there is no such topic")?;
                format!(", {}", camel_case(&words_after(topic.name(), "PUSH_TOPIC_")?))
            }
            _ => String::new(),
        };
        let row = format!("            #[doc = {:?}] {} {name}", description(&value), camel_case(&name));
        match option(&value, "on_by_default") {
            Some(Value::Bool(on)) => switches += &format!("{row}: {on}{topic};\n"),
            _ => always += &format!("{row}{topic};\n"),
        }
    }
    Ok(format!(
        "/// Calls a macro with the table of the kinds of notifications: the kinds with a switch, with its default, and those without.\n\
         #[macro_export]\nmacro_rules! notification_kinds {{\n    ($macro:ident) => {{\n        $macro! {{\n            \
         switches {{\n{switches}            }}\n            always {{\n{always}            }}\n        }}\n    }};\n}}\n"
    ))
}

/// `post_liked` of `NOTIFICATION_KIND_POST_LIKED`.
fn words_after(name: &str, prefix: &str) -> Result<String, String> {
    name.strip_prefix(prefix).map(str::to_lowercase).ok_or_else(|| format!("{name} does not begin with {prefix}"))
}

/// `PostLiked` of `post_liked`.
fn camel_case(name: &str) -> String {
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('_').map(capitalised).collect()
}

/// The comment of a value, in one line.
fn description(value: &EnumValueDescriptor) -> String {
    let file = value.parent_enum().parent_file();
    let locations = file.file_descriptor_proto().source_code_info.iter().flat_map(|info| &info.location);
    let comment = locations
        .filter(|location| location.path == value.path())
        .find_map(|location| location.leading_comments.clone());
    let comment = comment.unwrap_or_default();
    comment.lines().map(|line| format!(" {}", line.trim())).collect()
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
    fs::write(out.join("notification_kinds.rs"), notification_kinds()?)?;
    // The kind of a fact is the full name of its message.
    let mut config = tonic_prost_build::Config::new();
    config.enable_type_names();
    tonic_prost_build::configure().skip_debug(SECRETS).compile_fds_with_config(descriptors, config)?;
    Ok(())
}
