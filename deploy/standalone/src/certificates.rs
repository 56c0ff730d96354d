//! The authority of an installation and the certificates of its processes, for mutual TLS between them.
//!
//! An installation may take certificates from elsewhere, for example from cert-manager: the files have the same names.

use std::{fs, os::unix::fs::DirBuilderExt as _, path::Path, time::Duration};

use anyhow::Context as _;
use chrono::{DateTime, TimeDelta, Utc};
use primitives::clock::Clock;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use time::OffsetDateTime;

use crate::{SERVICES, folder::write_secret};

/// The private key of the authority. No process needs it.
const AUTHORITY_KEY: &str = "authority.key";
/// The certificate of the authority.
const AUTHORITY: &str = "authority.crt";
/// The servers of other projects in docker-compose.yml and the small overlay of Kubernetes.
const OTHERS: [&str; 3] = ["postgres", "redis", "jaeger"];
/// The lifetime of the authority, and that of a certificate.
const AUTHORITY_LIFETIME: TimeDelta = TimeDelta::days(3650);
const LIFETIME: TimeDelta = TimeDelta::days(397);
/// The age at which a certificate is replaced. Running processes read the new one.
const RENEW_AFTER: Duration = Duration::from_hours(180 * 24);

/// Creates the authority unless it exists, and a folder for each process with the files that `PORTIA_TLS_DIR` expects:
/// certificates that are missing or older than 180 days.
///
/// # Errors
/// When the folder cannot be written, or the operating system has no randomness.
pub fn ensure(folder: &Path) -> anyhow::Result<()> {
    let now = Clock::system().now();
    create_folder(folder)?;
    let authority = authority(folder, now)?;
    for process in SERVICES.iter().chain(&["gateway"]).chain(&OTHERS) {
        let own = folder.join(process);
        let age = fs::metadata(own.join("tls.crt")).and_then(|file| file.modified()).ok();
        // A time in the future has no age.
        if age.is_some_and(|at| at.elapsed().unwrap_or_default() < RENEW_AFTER) {
            continue;
        }
        create_folder(&own)?;
        let key = KeyPair::generate()?;
        let certificate = leaf(process, now)?.signed_by(&key, &authority)?;
        write_secret(&own.join("ca.crt"), &fs::read(folder.join(AUTHORITY))?)?;
        write_secret(&own.join("tls.key"), key.serialize_pem().as_bytes())?;
        write_secret(&own.join("tls.crt"), certificate.pem().as_bytes())?;
    }
    Ok(())
}

fn authority(folder: &Path, now: DateTime<Utc>) -> anyhow::Result<Issuer<'static, KeyPair>> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "Portia development authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    valid(&mut params, now, AUTHORITY_LIFETIME)?;
    let key_file = folder.join(AUTHORITY_KEY);
    // The certificate is written last: with it, both exist.
    if folder.join(AUTHORITY).exists() {
        let key = fs::read_to_string(&key_file).with_context(|| format!("{} cannot be read", key_file.display()))?;
        return Ok(Issuer::new(params, KeyPair::from_pem(&key)?));
    }
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    write_secret(&key_file, key.serialize_pem().as_bytes())?;
    write_secret(&folder.join(AUTHORITY), certificate.pem().as_bytes())?;
    Ok(Issuer::new(params, key))
}

/// A certificate for both sides of a connection. Its name is that of the process, which verifies it, not that of a machine.
fn leaf(process: &str, now: DateTime<Utc>) -> anyhow::Result<CertificateParams> {
    let mut params = CertificateParams::new(vec![process.to_owned()])?;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, process);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    params.use_authority_key_identifier_extension = true;
    valid(&mut params, now, LIFETIME)?;
    Ok(params)
}

/// From a day ago, because clocks differ.
fn valid(params: &mut CertificateParams, now: DateTime<Utc>, lifetime: TimeDelta) -> anyhow::Result<()> {
    params.not_before = OffsetDateTime::from_unix_timestamp((now - TimeDelta::days(1)).timestamp())?;
    params.not_after = OffsetDateTime::from_unix_timestamp((now + lifetime).timestamp())?;
    Ok(())
}

fn create_folder(folder: &Path) -> anyhow::Result<()> {
    let mut builder = fs::DirBuilder::new();
    let created = builder.recursive(true).mode(0o700).create(folder);
    created.with_context(|| format!("The folder {} cannot be made", folder.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_second_run_keeps_what_exists_and_replaces_old_certificates() {
        let folder = tempfile::tempdir().unwrap();
        ensure(folder.path()).unwrap();
        let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
        let files = ["authority.crt", "authority.key", "feed/tls.crt", "feed/tls.key", "feed/ca.crt", "redis/tls.crt"];
        let before = files.map(read);
        assert_eq!(before[4], before[0]);
        for file in files {
            let mode = fs::metadata(folder.path().join(file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file}");
        }
        ensure(folder.path()).unwrap();
        assert_eq!(files.map(read), before);

        let file = fs::File::options().write(true).open(folder.path().join("feed/tls.crt")).unwrap();
        file.set_modified(std::time::SystemTime::now() - RENEW_AFTER - Duration::from_secs(1)).unwrap();
        ensure(folder.path()).unwrap();
        let after = files.map(read);
        let renewed: Vec<&str> =
            files.into_iter().zip(before.iter().zip(&after)).filter(|(_, (a, b))| a != b).map(|(f, _)| f).collect();
        assert_eq!(renewed, ["feed/tls.crt", "feed/tls.key"]);
        // Both are of the same authority.
        rpc::tls::Tls::open(&folder.path().join("feed")).unwrap();
    }
}
