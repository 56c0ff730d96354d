//! The authority of an installation and the certificates of its processes, for mutual TLS between them.
//!
//! An installation may take certificates from elsewhere, for example from cert-manager: the files have the same names.

use std::{fs, os::unix::fs::DirBuilderExt as _, path::Path};

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
/// The lifetimes of the authority and of a certificate.
const AUTHORITY_LIFETIME: TimeDelta = TimeDelta::days(3650);
const LIFETIME: TimeDelta = TimeDelta::days(397);
/// The age at which a certificate is replaced. Running processes read the new one.
const RENEW_AFTER: TimeDelta = TimeDelta::days(180);

/// Creates the authority unless it exists, and a folder for each process with the files that `PORTIA_TLS_DIR` expects:
/// certificates that are missing, older than 180 days (by their own dates: copies of a folder have other times) or of another
/// authority. Further authorities in a `ca.crt` stay.
///
/// # Errors
/// When the folder cannot be written, or the operating system has no randomness.
pub fn ensure(folder: &Path) -> anyhow::Result<()> {
    let now = Clock::system().now();
    create_folder(folder)?;
    let authority = authority(folder, now)?;
    let certificate_of_authority = fs::read_to_string(folder.join(AUTHORITY))?;
    for process in SERVICES.iter().chain(&["gateway"]).chain(&OTHERS) {
        let own = folder.join(process);
        let read = |file: &str| fs::read_to_string(own.join(file)).unwrap_or_default();
        let expires = rpc::tls::expiry(read("tls.crt").as_bytes());
        let is_young = expires.is_some_and(|at| at - now > LIFETIME - RENEW_AFTER);
        let trusted = trusted(&read("ca.crt"), &certificate_of_authority);
        if is_young && own.join("tls.key").exists() && trusted == read("ca.crt") {
            continue;
        }
        create_folder(&own)?;
        let key = KeyPair::generate()?;
        let certificate = leaf(process, now)?.signed_by(&key, &authority)?;
        // In this order an interrupted run is noticed by the next one.
        write_secret(&own.join("tls.key"), key.serialize_pem().as_bytes())?;
        write_secret(&own.join("tls.crt"), certificate.pem().as_bytes())?;
        write_secret(&own.join("ca.crt"), trusted.as_bytes())?;
    }
    Ok(())
}

/// The authorities in `present`, with the certificate `ours` at the end if it is missing.
fn trusted(present: &str, ours: &str) -> String {
    // Tools that join files change the ends of lines.
    let lines = |pem: &str| pem.split_whitespace().collect::<String>();
    if lines(present).contains(&lines(ours)) {
        return present.to_owned();
    }
    let end = if present.is_empty() || present.ends_with('\n') { "" } else { "\n" };
    format!("{present}{end}{ours}")
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

/// Creates a certificate for both sides of a connection. It names the process, which the peer verifies, not a machine.
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

/// Sets the validity. It begins a day ago, because clocks differ.
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

    const FILES: [&str; 6] =
        ["authority.crt", "authority.key", "feed/tls.crt", "feed/tls.key", "feed/ca.crt", "redis/tls.crt"];

    fn read(folder: &Path) -> [String; 6] {
        FILES.map(|file| fs::read_to_string(folder.join(file)).unwrap())
    }

    fn changed(before: &[String; 6], after: &[String; 6]) -> Vec<&'static str> {
        let both = FILES.into_iter().zip(before.iter().zip(after));
        both.filter(|(_, (before, after))| before != after).map(|(file, _)| file).collect()
    }

    /// Replaces the certificate of feed with one that was issued `age` ago.
    fn issue(folder: &Path, age: TimeDelta) {
        let now = Clock::system().now() - age;
        let key = KeyPair::generate().unwrap();
        let certificate = leaf("feed", now).unwrap().signed_by(&key, &authority(folder, now).unwrap()).unwrap();
        fs::write(folder.join("feed/tls.key"), key.serialize_pem()).unwrap();
        fs::write(folder.join("feed/tls.crt"), certificate.pem()).unwrap();
    }

    #[test]
    fn a_second_run_keeps_what_exists_and_replaces_old_certificates() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        ensure(folder).unwrap();
        let before = read(folder);
        assert_eq!(before[4], before[0]);
        for file in FILES {
            let mode = fs::metadata(folder.join(file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file}");
        }
        ensure(folder).unwrap();
        assert_eq!(read(folder), before);

        for (age, renewed) in [
            (RENEW_AFTER - TimeDelta::minutes(5), &[][..]),
            (RENEW_AFTER + TimeDelta::minutes(5), &["feed/tls.crt", "feed/tls.key"]),
        ] {
            issue(folder, age);
            let before = read(folder);
            ensure(folder).unwrap();
            assert_eq!(changed(&before, &read(folder)), renewed, "{age}");
        }
        fs::remove_file(folder.join("feed/tls.key")).unwrap();
        ensure(folder).unwrap();
        // Both are of the same authority.
        rpc::tls::Tls::open(&folder.join("feed")).unwrap();
    }

    #[test]
    fn a_second_authority_stays_and_a_missing_one_is_added_with_a_new_certificate() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = folder.path();
        ensure(folder).unwrap();
        ensure(other.path()).unwrap();
        let ours = fs::read_to_string(folder.join(AUTHORITY)).unwrap();
        let theirs = fs::read_to_string(other.path().join(AUTHORITY)).unwrap();
        let trusted = folder.join("feed/ca.crt");

        let both = format!("{}\r\n{ours}", theirs.trim().replace('\n', "\r\n"));
        fs::write(&trusted, &both).unwrap();
        let before = read(folder);
        ensure(folder).unwrap();
        assert_eq!(read(folder), before);
        issue(folder, RENEW_AFTER * 2);
        ensure(folder).unwrap();
        assert_eq!(fs::read_to_string(&trusted).unwrap(), both);

        fs::write(&trusted, theirs.trim()).unwrap();
        let before = read(folder);
        ensure(folder).unwrap();
        assert_eq!(changed(&before, &read(folder)), ["feed/tls.crt", "feed/tls.key", "feed/ca.crt"]);
        assert_eq!(fs::read_to_string(&trusted).unwrap(), format!("{}\n{ours}", theirs.trim()));
        rpc::tls::Tls::open(&folder.join("feed")).unwrap();
    }
}
