//! The settings of the service: web push, and the allowance of message requests.

use std::str::FromStr as _;

use chassis::config::Error;
use crawler::fetch::AdmittedHosts;
use serde::Deserialize;

/// The default of `PORTIA_PUSH_SERVICES`: the push services of Chrome and the browsers built on it, Firefox, Edge, and Safari.
const DEFAULT_SERVICES: &str =
    "fcm.googleapis.com, updates.push.services.mozilla.com, *.notify.windows.com, *.push.apple.com";

/// The settings of this service, in addition to the common ones.
#[derive(Clone, Debug, Deserialize)]
pub struct Settings {
    /// `PORTIA_PUSH_SERVICES`: the hosts to which pushes are sent, separated by commas; `*.example.org` names subdomains. `none`
    /// turns push off.
    push_services: Option<String>,
    /// `PORTIA_PUSH_ADMIT`: `host:port`, separated by commas, that may be private and use plain HTTP, such as a push service in
    /// a closed network.
    #[serde(default)]
    push_admit: String,
    /// `PORTIA_PUSH_CONTACT`: where operators of push services report problems, a `mailto:` or `https:` address. By default
    /// the public origin.
    push_contact: Option<String>,
    /// `PORTIA_PUBLIC_ORIGIN`, which the gateway also reads.
    public_origin: Option<String>,
    /// `PORTIA_RATE_LIMIT_SCALE`, which the gateway also reads: multiplies the allowance of message requests.
    #[serde(default = "one")]
    pub rate_limit_scale: u32,
}

const fn one() -> u32 {
    1
}

/// The validated settings of push.
#[derive(Clone, Debug)]
pub struct PushPlan {
    /// The hosts of push services; empty when push is turned off.
    pub services: Vec<String>,
    /// Hosts that may have private addresses.
    pub admitted: AdmittedHosts,
    /// The `sub` of VAPID tokens. Safari's push service requires one.
    pub contact: Option<String>,
}

impl Settings {
    /// Validates the settings.
    ///
    /// # Errors
    /// A sentence that names the variable.
    pub fn plan(&self) -> Result<PushPlan, Error> {
        let admitted = AdmittedHosts::from_str(&self.push_admit);
        let admitted = admitted.map_err(|error| Error(format!("PORTIA_PUSH_ADMIT: {error}")))?;
        Ok(PushPlan { services: self.services()?, admitted, contact: self.contact()? })
    }

    fn services(&self) -> Result<Vec<String>, Error> {
        let list = self.push_services.as_deref().unwrap_or(DEFAULT_SERVICES).trim();
        if list == "none" {
            return Ok(Vec::new());
        }
        let hosts: Vec<String> = list.split(',').map(|host| host.trim().to_owned()).collect();
        match hosts.iter().find(|host| !is_host(host)) {
            Some(wrong) => Err(Error(format!("PORTIA_PUSH_SERVICES: '{wrong}' is no host. Write hosts, or none."))),
            None => Ok(hosts),
        }
    }

    fn contact(&self) -> Result<Option<String>, Error> {
        let origin = self.public_origin.as_deref().filter(|origin| origin.starts_with("https://"));
        match self.push_contact.as_deref() {
            None => Ok(origin.map(ToOwned::to_owned)),
            Some(contact) if contact.starts_with("mailto:") || contact.starts_with("https://") => {
                Ok(Some(contact.to_owned()))
            }
            Some(_) => Err(Error("PORTIA_PUSH_CONTACT: write mailto: and an address, or an https address.".to_owned())),
        }
    }
}

/// Returns whether a text is a host name in lower case, or `*.` and a host name. A single label, such as `*.com`, is
/// not.
fn is_host(host: &str) -> bool {
    let name = host.strip_prefix("*.").unwrap_or(host);
    let label = |label: &str| {
        !label.is_empty() && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    name.contains('.') && name.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use chassis::config::Source;

    use super::*;

    fn plan(fields: &[(&str, &str)]) -> Result<PushPlan, Error> {
        let source = fields.iter().fold(Source::default(), |source, (field, value)| source.with(field, value));
        source.extract::<Settings>().unwrap().plan()
    }

    #[test]
    fn the_push_services_of_browsers_are_the_default() {
        let plan = plan(&[]).unwrap();
        assert_eq!(plan.services.len(), 4);
        assert_eq!(plan.contact, None);
    }

    #[test]
    fn push_is_configured_by_hosts_and_a_contact() {
        let plan_of = |services: &str| plan(&[("push_services", services)]).unwrap().services;
        assert!(plan_of("none").is_empty());
        assert_eq!(plan_of("push.example, *.push.example"), ["push.example", "*.push.example"]);
        let origin = ("public_origin", "https://portia.example");
        assert_eq!(plan(&[origin]).unwrap().contact.as_deref(), Some("https://portia.example"));
        let contact = ("push_contact", "mailto:ops@portia.example");
        assert_eq!(plan(&[origin, contact]).unwrap().contact.as_deref(), Some("mailto:ops@portia.example"));
        assert_eq!(plan(&[("public_origin", "http://127.0.0.1:8080")]).unwrap().contact, None);
    }

    #[test]
    fn an_invalid_setting_is_named() {
        for (field, value, variable) in [
            ("push_services", "", "PORTIA_PUSH_SERVICES"),
            ("push_services", "https://push.example", "PORTIA_PUSH_SERVICES"),
            ("push_services", "*.com", "PORTIA_PUSH_SERVICES"),
            ("push_services", "*", "PORTIA_PUSH_SERVICES"),
            ("push_services", "a.example,", "PORTIA_PUSH_SERVICES"),
            ("push_admit", "nowhere", "PORTIA_PUSH_ADMIT"),
            ("push_contact", "ops@portia.example", "PORTIA_PUSH_CONTACT"),
        ] {
            let refused = plan(&[(field, value)]).unwrap_err().to_string();
            assert!(refused.starts_with(variable), "{field}={value}: {refused}");
        }
    }
}
