//! The transports to the other services: in other processes (configured), or in this one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
};

use crate::config::{Encryption, Source, field_name};
use rpc::{InvalidAddress, Slot, Transport};

#[derive(Clone, Debug)]
enum Location {
    Remote(Box<Source>, Encryption),
    Local(Arc<Mutex<HashMap<String, Slot>>>),
}

/// The transports to the other services. One per upstream, so that its circuit breaker is shared.
#[derive(Clone, Debug)]
pub struct Upstreams {
    location: Location,
    transports: Arc<Mutex<HashMap<String, Transport>>>,
    positions: Arc<Mutex<HashMap<String, Arc<AtomicU64>>>>,
}

impl Upstreams {
    /// Upstreams in other processes: `PORTIA_<SERVICE>_URL`, one address or several, read when a transport is requested.
    ///
    /// # Errors
    /// When the certificate of this process cannot be used. An address is validated when its transport is requested.
    pub fn remote(config: &Source) -> Result<Self, crate::config::Error> {
        let location = Location::Remote(Box::new(config.clone()), Encryption::read(config)?);
        Ok(Self { location, transports: Arc::default(), positions: Arc::default() })
    }

    /// Creates upstreams in this process. Clones share them.
    #[must_use]
    pub fn local() -> Self {
        Self { location: Location::Local(Arc::default()), transports: Arc::default(), positions: Arc::default() }
    }

    /// How this process encrypts its connections; nothing to encrypt within a process.
    #[must_use]
    pub fn encryption(&self) -> Encryption {
        match &self.location {
            Location::Remote(_, encryption) => encryption.clone(),
            Location::Local(_) => Encryption::default(),
        }
    }

    /// Returns the transport to an upstream.
    ///
    /// # Errors
    /// When its address is not configured or invalid, or would not be encrypted.
    pub fn transport(&self, service: &str) -> Result<Transport, crate::config::Error> {
        let mut transports = self.transports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(transport) = transports.get(service) {
            return Ok(transport.clone());
        }
        let name = access::service(service)
            .ok_or_else(|| crate::config::Error(format!("There is no service {service} in the table of calls.")))?;
        let transport = match &self.location {
            Location::Local(_) => Transport::local(name, self.slot(name)),
            Location::Remote(config, encryption) => {
                let field = format!("{}_url", field_name(service));
                let variable = format!("PORTIA_{}", field.to_uppercase());
                let url = config.text(&field).ok_or_else(|| {
                    crate::config::Error(format!("Set {variable} to the address of the service {service}."))
                })?;
                url.split(',').try_for_each(|each| encryption.check_url(&variable, each, "https"))?;
                Transport::remote(name, &url, encryption.tls()).map_err(|error| {
                    crate::config::Error(match error {
                        InvalidAddress::NoCertificate => format!("{variable}: {url} needs PORTIA_TLS_DIR."),
                        InvalidAddress::Form => format!(
                            "{variable}: {url} is not an address, https://host:port, nor several separated by commas."
                        ),
                    })
                })?
            }
        };
        transports.insert(service.to_owned(), transport.clone());
        Ok(transport)
    }

    /// Returns the position in the log of an upstream that contains every fact that this process has received; zero for
    /// an upstream without a standby. The reads of this process must contain it.
    #[must_use]
    pub fn position(&self, service: &str) -> Arc<AtomicU64> {
        let mut positions = self.positions.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(positions.entry(service.to_owned()).or_default())
    }

    /// Returns the slot for the routes of a service of this process.
    #[must_use]
    pub fn slot(&self, service: &str) -> Slot {
        match &self.location {
            Location::Local(slots) => {
                slots.lock().unwrap_or_else(PoisonError::into_inner).entry(service.to_owned()).or_default().clone()
            }
            Location::Remote(..) => Slot::default(),
        }
    }
}
