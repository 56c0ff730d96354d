//! Reactions: a member has at most one on a post.

pub mod list;

use sqlx::{
    Decode, Postgres, Type,
    error::BoxDynError,
    postgres::{PgHasArrayType, PgTypeInfo, PgValueRef},
};
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactionKind {
    Like,
    Celebrate,
    Support,
    Insightful,
    Thanks,
}

impl ReactionKind {
    pub const ALL: [Self; 5] = [Self::Like, Self::Celebrate, Self::Support, Self::Insightful, Self::Thanks];

    /// Returns the name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Like => "like",
            Self::Celebrate => "celebrate",
            Self::Support => "support",
            Self::Insightful => "insightful",
            Self::Thanks => "thanks",
        }
    }
}

impl Type<Postgres> for ReactionKind {
    fn type_info() -> PgTypeInfo {
        <str as Type<Postgres>>::type_info()
    }

    fn compatible(ty: &PgTypeInfo) -> bool {
        <str as Type<Postgres>>::compatible(ty)
    }
}

impl PgHasArrayType for ReactionKind {
    fn array_type_info() -> PgTypeInfo {
        <&str as PgHasArrayType>::array_type_info()
    }

    fn array_compatible(ty: &PgTypeInfo) -> bool {
        <&str as PgHasArrayType>::array_compatible(ty)
    }
}

impl Decode<'_, Postgres> for ReactionKind {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        let name = <&str as Decode<Postgres>>::decode(value)?;
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| format!("{name:?} is not a kind of reaction").into())
    }
}

#[derive(Clone, Copy)]
pub struct Reaction {
    pub member_id: Uuid,
    pub kind: ReactionKind,
}
