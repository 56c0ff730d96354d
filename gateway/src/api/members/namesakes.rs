//! Members with equal names: on a profile, and among the requests that a member receives.

use std::collections::HashMap;

use portia_proto::profile::MatchConnectionNamesRequest;
use rpc::Call;

use crate::api::contract::Cards;
use crate::{
    api::members::{cache::MemberCache, views::Author},
    edge::upstreams::Clients,
};

/// Connections of the caller, by the id of another member with the same name.
#[derive(Default)]
pub struct ConnectionNames {
    connections: HashMap<String, Author>,
    degraded: bool,
}

impl ConnectionNames {
    /// The connections with the names of these members, with one call to profile, and a second one if there are any. Never
    /// fails; see [`Self::degraded`].
    pub async fn of(clients: &Clients, members: &MemberCache, call: &Call, ids: Vec<String>) -> Self {
        if ids.is_empty() {
            return Self::default();
        }
        let matched = async {
            let request = call.request(MatchConnectionNamesRequest { member_ids: ids })?;
            clients.profile().match_connection_names(request).await
        };
        let names = match matched.await {
            Ok(answer) => answer.into_inner().names,
            Err(status) => {
                tracing::warn!(code = ?status.code(), "equal names are missing from a response");
                return Self { degraded: true, ..Self::default() };
            }
        };
        let people = members.cards(call, names.iter().map(|name| name.connection_id.as_str())).await;
        let connections = names.into_iter().map(|name| (name.member_id, people.author(&name.connection_id))).collect();
        Self { connections, degraded: people.degraded().is_some() }
    }

    /// The connection with the name of this member.
    pub fn get(&self, member: &str) -> Option<Author> {
        self.connections.get(member).cloned()
    }

    /// The service whose answer is missing, if any.
    pub fn degraded(&self) -> Option<&'static str> {
        self.degraded.then_some("profile")
    }
}
