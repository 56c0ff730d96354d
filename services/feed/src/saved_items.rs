//! Items that members save for later: posts, and items of other services by their ids.
//!
//! The owner of an item decides whether it exists. A deleted item stays in the list until the member removes it.

pub mod changes;
pub mod list;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum ItemKind {
    Post,
    /// A job posting.
    Job,
    Article,
    /// A law school resource; also one that only the client knows.
    Resource,
    Event,
}

impl ItemKind {
    /// Returns the name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Post => "post",
            Self::Job => "job",
            Self::Article => "article",
            Self::Resource => "resource",
            Self::Event => "event",
        }
    }
}

/// The id of an item as its owner writes it: 1 to 64 letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ItemId(String);

impl ItemId {
    /// Before every id.
    pub const FIRST: Self = Self(String::new());

    pub fn into_string(self) -> String {
        self.0
    }
}

impl From<ItemId> for String {
    fn from(id: ItemId) -> Self {
        id.0
    }
}

impl From<Uuid> for ItemId {
    fn from(id: Uuid) -> Self {
        Self(id.to_string())
    }
}

impl TryFrom<String> for ItemId {
    type Error = &'static str;

    fn try_from(raw: String) -> Result<Self, Self::Error> {
        let plain = raw.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if plain && (1..=64).contains(&raw.len()) { Ok(Self(raw)) } else { Err("not an item id") }
    }
}

/// A reference to an item.
pub enum SavedItemRef {
    /// A post: this service checks who may see it.
    Post(Uuid),
    /// An item of another service.
    Other(ItemKind, ItemId),
}

impl SavedItemRef {
    fn kind(&self) -> ItemKind {
        match self {
            Self::Post(_) => ItemKind::Post,
            Self::Other(kind, _) => *kind,
        }
    }

    fn id(&self) -> String {
        match self {
            Self::Post(id) => id.to_string(),
            Self::Other(_, id) => id.0.clone(),
        }
    }
}

pub struct SavedItem {
    pub kind: ItemKind,
    /// The id at its owner.
    pub id: String,
    pub saved_at: DateTime<Utc>,
}
