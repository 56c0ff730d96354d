//! Where the other services are: in other processes, named by configuration, or in this one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::config::{Source, field_name};
use rpc::{Slot, Transport};

#[derive(Clone, Debug)]
enum Place {
    Remote(Box<Source>),
    Local(Arc<Mutex<HashMap<String, Slot>>>),
}

/// The way to every other service. One transport per upstream, so that its breaker and bulkhead are shared.
#[derive(Clone, Debug)]
pub struct Upstreams {
    place: Place,
    known: Arc<Mutex<HashMap<String, Transport>>>,
}

impl Upstreams {
    /// Upstreams in other processes: `PORTIA_<SERVICE>_URL`, read when a service asks for one.
    ///
    /// # Errors
    /// None today; addresses are checked when asked for, before anything is bound.
    pub fn remote(config: &Source) -> Result<Self, crate::config::Error> {
        Ok(Self { place: Place::Remote(Box::new(config.clone())), known: Arc::default() })
    }

    /// Upstreams in this process; clones know the same ones.
    #[must_use]
    pub fn local() -> Self {
        Self { place: Place::Local(Arc::default()), known: Arc::default() }
    }

    /// The transport to a upstream.
    ///
    /// # Errors
    /// When its address is not configured or is none.
    pub fn transport(&self, service: &str) -> Result<Transport, crate::config::Error> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(transport) = known.get(service) {
            return Ok(transport.clone());
        }
        let transport = match &self.place {
            Place::Local(_) => Transport::local(self.slot(service)),
            Place::Remote(config) => {
                let field = format!("{}_url", field_name(service));
                let variable = format!("PORTIA_{}", field.to_uppercase());
                let url = config.text(&field).ok_or_else(|| {
                    crate::config::Error(format!("Set {variable} to the address of the service {service}."))
                })?;
                Transport::remote(&url)
                    .map_err(|_| crate::config::Error(format!("{variable}: {url} is no address.")))?
            }
        };
        known.insert(service.to_owned(), transport.clone());
        Ok(transport)
    }

    /// Where a service of this process puts its routes.
    #[must_use]
    pub fn slot(&self, service: &str) -> Slot {
        match &self.place {
            Place::Local(slots) => {
                slots.lock().unwrap_or_else(PoisonError::into_inner).entry(service.to_owned()).or_default().clone()
            }
            Place::Remote(_) => Slot::default(),
        }
    }
}
