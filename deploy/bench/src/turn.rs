//! One turn of a measurement: workers send requests for a while.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::client::{Member, Request};

/// The requests that a worker sends.
#[derive(Clone, Debug)]
pub enum Script {
    /// These requests, repeatedly. A turn ends only after a multiple of `group` requests.
    Repeat {
        /// The requests.
        requests: Vec<Request>,
        /// How many belong together.
        group: usize,
    },
    /// The pages of a list, each once, from one turn to the next.
    Follow(Pages),
}

/// A position in a list, shared by the turns.
#[derive(Clone, Debug)]
pub struct Pages {
    first: String,
    next: Arc<Mutex<String>>,
}

impl Pages {
    /// The list with this first page.
    #[must_use]
    pub fn from(first: &str) -> Self {
        Self { first: first.to_owned(), next: Arc::new(Mutex::new(first.to_owned())) }
    }

    fn current(&self) -> Request {
        Request::get(self.next.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// After the last page the first one follows.
    fn advance(&self, next: Option<String>) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = next.unwrap_or_else(|| self.first.clone());
    }
}

/// A member with a connection, and what they send.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The member.
    pub member: Member,
    /// The requests.
    pub script: Script,
}

/// The result of a turn.
#[derive(Debug, Default)]
pub struct Sample {
    /// Processor time of the measured processes.
    pub cpu_ms: u64,
    /// Failed or incomplete responses.
    pub errors: usize,
    /// Bytes of the complete ones.
    pub bytes: usize,
    /// The latency of each response, in microseconds.
    pub took: Vec<u32>,
}

/// Lets the workers send requests until the time is over, one after the other each. The result has no processor time.
///
/// # Errors
/// When a worker panics.
pub async fn send_for(workers: &[Worker], how_long: Duration) -> anyhow::Result<Sample> {
    let end = Instant::now() + how_long;
    let workers: Vec<_> = workers.iter().map(|worker| tokio::spawn(work(worker.clone(), end))).collect();
    let mut sample = Sample::default();
    for worker in workers {
        let part = worker.await?;
        sample.errors += part.errors;
        sample.bytes += part.bytes;
        sample.took.extend(part.took);
    }
    Ok(sample)
}

async fn work(Worker { member, script }: Worker, end: Instant) -> Sample {
    let mut sample = Sample::default();
    match script {
        Script::Repeat { requests, group } => {
            for (number, request) in (1_usize..).zip(requests.iter().cycle()) {
                send(&member, request, &mut sample).await;
                if number.is_multiple_of(group.max(1)) && Instant::now() >= end {
                    break;
                }
            }
        }
        Script::Follow(pages) => loop {
            let next = send(&member, &pages.current(), &mut sample).await;
            pages.advance(next);
            if Instant::now() >= end {
                break;
            }
        },
    }
    sample
}

/// Sends a request, and returns the path of the next page.
async fn send(member: &Member, request: &Request, sample: &mut Sample) -> Option<String> {
    let began = Instant::now();
    let answer = member.send(request).await.ok().filter(|answer| answer.good);
    sample.took.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
    match answer {
        Some(answer) => {
            sample.bytes += answer.body.len();
            answer.next
        }
        None => {
            sample.errors += 1;
            None
        }
    }
}

/// The median of sorted values; 0 of none.
#[must_use]
pub fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.get(middle.wrapping_sub(1))) {
        (Some(upper), Some(lower)) if sorted.len().is_multiple_of(2) => f64::midpoint(*upper, *lower),
        (Some(only), _) => *only,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_interpolated() {
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
        assert_eq!(median(&[7.0]), 7.0);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn a_list_is_followed_to_its_end_and_begun_again() {
        let pages = Pages::from("/first");
        let shared = pages.clone();
        pages.advance(Some("/second".to_owned()));
        assert_eq!(shared.current().path, "/second");
        shared.advance(None);
        assert_eq!(pages.current().path, "/first");
    }
}
