//! Which postings are asked for at once.

use portia_proto::jobs::BatchGetJobsRequest;
use primitives::ids;
use uuid::Uuid;

use crate::error::Error;

/// Postings asked for at once, at most.
const BATCH: usize = 100;

/// Which postings.
pub fn job_ids(request: &BatchGetJobsRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("jobIds", &request.job_ids, BATCH)?)
}
