//! The metadata of a call: the token of the caller and the remaining time.

use std::time::Duration;

use tokio::time::Instant;
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
};

use primitives::error::{ErrorKind, new_status};

/// Subtracted at each hop, for the transfer of the response.
const HOP_MARGIN: Duration = Duration::from_millis(20);
/// A call with less time left is not sent.
const MIN_TIME_LEFT: Duration = Duration::from_millis(50);

/// The identity and deadline of a request. Every call made for it carries both.
#[derive(Clone, Debug)]
pub struct Call {
    authorization: MetadataValue<Ascii>,
    deadline: Option<Instant>,
}

impl Call {
    /// A call with a token, to be answered within `budget`.
    ///
    /// # Errors
    /// INTERNAL when the token is not a header value.
    pub fn new(token: &str, budget: Duration) -> Result<Self, Status> {
        Ok(Self { authorization: bearer(token)?, deadline: Some(Instant::now() + budget) })
    }

    /// A call without a deadline: a stream of facts.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn streaming(token: &str) -> Result<Self, Status> {
        Ok(Self { authorization: bearer(token)?, deadline: None })
    }

    /// The same deadline with another token.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_token(&self, token: &str) -> Result<Self, Status> {
        Ok(Self { authorization: bearer(token)?, deadline: self.deadline })
    }

    /// The time by which the request must be answered; `None` for a stream.
    #[must_use]
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Adds the metadata to a message.
    ///
    /// # Errors
    /// DEADLINE_EXCEEDED when too little time is left.
    pub fn request<T>(&self, message: T) -> Result<Request<T>, Status> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.authorization.clone());
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

fn bearer(token: &str) -> Result<MetadataValue<Ascii>, Status> {
    let mut value: MetadataValue<Ascii> = format!("Bearer {token}")
        .parse()
        .map_err(|_| new_status(ErrorKind::Internal, "TOKEN", "Something went wrong on our side. Please try again."))?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_hop_sends_the_remaining_time_and_refuses_too_little() {
        let call = Call::new("t", Duration::from_secs(2)).unwrap();
        let sent = call.request(()).unwrap();
        assert_eq!(sent.metadata().get("grpc-timeout").unwrap(), "1980000u");
        tokio::time::advance(Duration::from_millis(1940)).await;
        assert_eq!(call.request(()).unwrap_err().code(), tonic::Code::DeadlineExceeded);
    }

    #[test]
    fn a_streaming_call_has_no_timeout() {
        let sent = Call::streaming("t").unwrap().request(()).unwrap();
        assert!(sent.metadata().get("grpc-timeout").is_none());
    }
}
