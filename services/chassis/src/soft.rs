//! Soft state. (Being written: this much lets the frame compile.)

/// State that may be lost at any time.
#[derive(Clone, Debug, Default)]
pub struct Soft;

impl Soft {
    /// Connects to Redis, or keeps it in process.
    pub async fn connect(_redis_url: Option<&str>) -> Self {
        Self
    }
}
