//! The files of a rotation, the expiry of a certificate, and the interval of warnings.

use chrono::TimeDelta;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use super::*;

/// Lets the next connection look at the files.
fn pass_interval(tls: &Tls) {
    tls.state.lock().unwrap().checked -= CHECK_INTERVAL;
}

fn issue(folder: &Path, expires: DateTime<Utc>) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let (mut params, key) = (CertificateParams::new(vec!["feed".to_owned()]).unwrap(), KeyPair::generate().unwrap());
    params.not_after = time::OffsetDateTime::from_unix_timestamp(expires.timestamp()).unwrap();
    fs::write(folder.join(AUTHORITY), authority.pem()).unwrap();
    fs::write(folder.join(KEY), key.serialize_pem()).unwrap();
    fs::write(folder.join(CERTIFICATE), params.signed_by(&key, &authority).unwrap().pem()).unwrap();
}

fn soon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_900_000_000, 0).unwrap()
}

#[test]
fn a_half_way_rotation_keeps_the_previous_certificate() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), soon());
    let tls = Tls::open(folder.path()).unwrap();
    let before = tls.configs();
    assert_eq!(before.server.send_tls13_tickets, 0);
    let is_before = |configs: &Configs| {
        Arc::ptr_eq(&configs.server, &before.server) && Arc::ptr_eq(&configs.client, &before.client)
    };
    let key = fs::read(folder.path().join(KEY)).unwrap();
    fs::write(folder.path().join(KEY), KeyPair::generate().unwrap().serialize_pem()).unwrap();
    Tls::open(folder.path()).unwrap_err();
    pass_interval(&tls);
    assert!(is_before(&tls.configs()), "a key of another certificate");
    fs::remove_file(folder.path().join(KEY)).unwrap();
    pass_interval(&tls);
    assert!(is_before(&tls.configs()), "no key");
    fs::write(folder.path().join(KEY), key).unwrap();
    pass_interval(&tls);
    assert!(is_before(&tls.configs()), "the same files");

    issue(folder.path(), soon() + TimeDelta::days(1));
    pass_interval(&tls);
    let after = tls.configs();
    assert!(!Arc::ptr_eq(&after.server, &before.server) && !Arc::ptr_eq(&after.client, &before.client));
    assert_eq!(tls.state.lock().unwrap().expires, Some(soon() + TimeDelta::days(1)));
}

#[test]
fn the_expiry_is_that_of_the_first_certificate() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), soon());
    assert_eq!(expiry(&fs::read(folder.path().join(CERTIFICATE)).unwrap()), Some(soon()));
    assert_eq!(expiry(b"nothing"), None);
}

#[test]
fn each_side_is_warned_about_once_a_minute() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), soon());
    let tls = Tls::open(folder.path()).unwrap();
    assert!(tls.may_warn("feed") && tls.may_warn("callers"));
    assert!(!tls.may_warn("feed") && !tls.may_warn("callers"));
    *tls.state.lock().unwrap().warned.get_mut("feed").unwrap() -= WARN_INTERVAL;
    assert!(tls.may_warn("feed") && !tls.may_warn("callers"));
}
