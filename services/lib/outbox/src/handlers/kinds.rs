//! Facts of several kinds that one handler takes together.

use prost::{DecodeError, Message, Name};

use crate::Fact;

/// The message of one kind of facts.
pub trait FactMessage: Message + Name + Default + 'static {}

impl<M: Message + Name + Default + 'static> FactMessage for M {}

/// A fact of one of several kinds. A handler of batches gets consecutive facts of these kinds together, in their order.
pub trait FactKinds: Sized + Send + 'static {
    /// The full names of the messages.
    fn kinds() -> Vec<String>;

    /// Decodes a fact of one of these kinds.
    ///
    /// # Errors
    /// When the payload is not such a message.
    fn decode(kind: &str, payload: &[u8]) -> Result<Self, DecodeError>;
}

/// A fact of a change, or of its reversal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reversible<M, R> {
    /// The change.
    Made(M),
    /// Its reversal.
    Reversed(R),
}

impl<M: FactMessage, R: FactMessage> FactKinds for Reversible<M, R> {
    fn kinds() -> Vec<String> {
        vec![M::full_name(), R::full_name()]
    }

    fn decode(kind: &str, payload: &[u8]) -> Result<Self, DecodeError> {
        Ok(if kind == M::full_name() { Self::Made(M::decode(payload)?) } else { Self::Reversed(R::decode(payload)?) })
    }
}

/// A fact of one kind.
pub(super) struct One<M>(pub M);

impl<M: FactMessage> FactKinds for One<M> {
    fn kinds() -> Vec<String> {
        vec![M::full_name()]
    }

    fn decode(_kind: &str, payload: &[u8]) -> Result<Self, DecodeError> {
        M::decode(payload).map(Self)
    }
}

/// Decodes all of these facts.
pub(super) fn decode_all<F: FactKinds>(facts: &[Fact]) -> Result<Vec<F>, DecodeError> {
    facts.iter().map(|fact| F::decode(&fact.kind, &fact.payload)).collect()
}
