//! The settings of the service.

use serde::Deserialize;

/// The settings, in addition to the settings of every process.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Settings {
    /// `PORTIA_RATE_LIMIT_SCALE`, which the gateway also reads: multiplies the allowances of requests to connect and of follows.
    #[serde(default = "one")]
    pub rate_limit_scale: u32,
}

const fn one() -> u32 {
    1
}
