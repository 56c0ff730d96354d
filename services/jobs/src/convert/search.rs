//! What is looked for among the postings.

use ::search::SearchQuery;
use portia_proto::jobs::SearchJobsRequest;

use crate::error::Error;

/// Which postings are looked for.
pub fn looked_for(request: &SearchJobsRequest) -> Result<SearchQuery, Error> {
    Ok(SearchQuery::parse(&request.query, request.page_size, &request.page_token)?)
}
