//! The metadata of a call: the credentials of the caller and the remaining time.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use tonic::{Request, Status};

use crate::{
    Positions,
    identity::{Credentials, MemberTokens},
};
use primitives::error::{ErrorKind, new_status};

/// Subtracted at each hop, for the transfer of the response.
const HOP_MARGIN: Duration = Duration::from_millis(20);
/// A call with less time left is not sent.
const MIN_TIME_LEFT: Duration = Duration::from_millis(50);

/// The identity and deadline of a request. Every call made for it carries both.
#[derive(Clone, Debug)]
pub struct Call {
    credentials: Credentials,
    deadline: Option<Instant>,
    positions: Option<Arc<Positions>>,
}

impl Call {
    /// Creates a call to be answered within `budget`.
    #[must_use]
    pub fn new(credentials: Credentials, budget: Duration) -> Self {
        Self { credentials, deadline: Some(Instant::now() + budget), positions: None }
    }

    /// Creates a call without a deadline: a stream of facts.
    #[must_use]
    pub const fn streaming(credentials: Credentials) -> Self {
        Self { credentials, deadline: None, positions: None }
    }

    /// Returns the same call with a later deadline: for an upload, whose time grows with its size.
    #[must_use]
    pub fn extended(self, more: Duration) -> Self {
        Self { deadline: self.deadline.map(|deadline| deadline + more), ..self }
    }

    /// Returns the same call with the positions of its browser's last writes.
    #[must_use]
    pub fn with_positions(self, positions: Option<Arc<Positions>>) -> Self {
        Self { positions, ..self }
    }

    /// Returns a call with the same deadline, for a member.
    #[must_use]
    pub fn with_member(&self, tokens: &MemberTokens) -> Self {
        Self { credentials: self.credentials.with_member(tokens), ..self.clone() }
    }

    /// The time by which the request must be answered; `None` for a stream.
    #[must_use]
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Adds the metadata to a message. The [`crate::Transport`] writes the tokens, which depend on its service.
    ///
    /// # Errors
    /// DEADLINE_EXCEEDED when too little time is left.
    pub fn request<T>(&self, message: T) -> Result<Request<T>, Status> {
        let mut request = Request::new(message);
        request.extensions_mut().insert(self.credentials.clone());
        if let Some(positions) = &self.positions {
            request.extensions_mut().insert(Arc::clone(positions));
        }
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now()).saturating_sub(HOP_MARGIN);
            if left < MIN_TIME_LEFT {
                return Err(new_status(
                    ErrorKind::Timeout,
                    "DEADLINE_EXCEEDED",
                    "This took too long. Please try again.",
                ));
            }
            request.set_timeout(left);
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use primitives::clock::Clock;

    use super::*;
    use crate::identity::{KeyPair, Signer};

    fn credentials() -> Credentials {
        let signer = Signer::new(&KeyPair::generate("services/feed/1").unwrap()).unwrap();
        Credentials::of_process(Arc::new(signer), Clock::system())
    }

    #[tokio::test(start_paused = true)]
    async fn a_hop_sends_the_remaining_time_and_refuses_too_little() {
        let call = Call::new(credentials(), Duration::from_secs(2));
        let sent = call.request(()).unwrap();
        assert_eq!(sent.metadata().get("grpc-timeout").unwrap(), "1980000u");
        tokio::time::advance(Duration::from_millis(1940)).await;
        assert_eq!(call.request(()).unwrap_err().code(), tonic::Code::DeadlineExceeded);
    }

    #[tokio::test(start_paused = true)]
    async fn an_extended_call_sends_more_time() {
        let call = Call::new(credentials(), Duration::from_secs(4)).extended(Duration::from_secs(12));
        let sent = call.request(()).unwrap();
        assert_eq!(sent.metadata().get("grpc-timeout").unwrap(), "15980000u");
        assert_eq!(Call::streaming(credentials()).extended(Duration::from_secs(12)).deadline(), None);
    }

    #[test]
    fn a_streaming_call_has_no_timeout() {
        let sent = Call::streaming(credentials()).request(()).unwrap();
        assert!(sent.metadata().get("grpc-timeout").is_none());
    }
}
