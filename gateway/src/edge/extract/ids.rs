//! Extractors of the ids in a path.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;
use primitives::ids;
use uuid::Uuid;

use crate::edge::problem::Problem;

/// The kind of entity that an id identifies.
pub trait Noun {
    /// The message of 404 when the entity does not exist.
    const MISSING: &'static str;
}

/// The `{id}` of a path. An invalid id is answered with 404.
pub struct Id<N>(pub Uuid, PhantomData<N>);

impl<S: Send + Sync, N: Noun> FromRequestParts<S> for Id<N> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let raw = Path::<String>::from_request_parts(parts, state).await.ok();
        Ok(Self(id_of::<N>(raw.as_ref().map(|Path(raw)| raw.as_str()))?, PhantomData))
    }
}

/// The two ids of a path, for example `{id}` and `{memberId}`.
pub struct Ids<N, M>(pub Uuid, pub Uuid, PhantomData<(N, M)>);

impl<S: Send + Sync, N: Noun, M: Noun> FromRequestParts<S> for Ids<N, M> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let raw = Path::<(String, String)>::from_request_parts(parts, state).await.ok();
        let (first, second) = raw.map(|Path(both)| both).unzip();
        Ok(Self(id_of::<N>(first.as_deref())?, id_of::<M>(second.as_deref())?, PhantomData))
    }
}

fn id_of<N: Noun>(raw: Option<&str>) -> Result<Uuid, Problem> {
    raw.and_then(|raw| ids::parse("id", raw).ok()).ok_or(Problem::not_found(N::MISSING))
}
