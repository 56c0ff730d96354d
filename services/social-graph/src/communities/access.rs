//! Who sees a community, and how members join it.

/// Who sees a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Visibility {
    Public,
    /// Its members and invited members.
    Private,
}

/// How members join a community. An invited member always may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Joining {
    Open,
    /// An owner or moderator approves.
    Request,
    Invitation,
}

/// The requested access to a community. An update keeps what is `None`, and a private community is always joined by invitation:
/// a constraint refuses other combinations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub visibility: Option<Visibility>,
    pub joining: Option<Joining>,
}

impl Access {
    /// The access to a new community: public and open by default.
    pub fn of_new(self) -> (Visibility, Joining) {
        let visibility = self.visibility.unwrap_or(Visibility::Public);
        let default = if visibility == Visibility::Private { Joining::Invitation } else { Joining::Open };
        (visibility, self.joining.unwrap_or(default))
    }
}
