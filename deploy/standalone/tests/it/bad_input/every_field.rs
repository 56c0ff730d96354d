//! Every operation of the document with bad input in every field and parameter.

use futures::{StreamExt as _, stream};
use portia::stack::Stack;
use sqlx::ConnectOptions as _;

use super::{
    bases::{self, Base, Prepared},
    cases::{self, Case},
    document::{self, Operation},
    entities::host,
    limits,
    raw_client::{Reply, send},
    rows::{Measure, Rows, rows},
    values::Turns,
};
use crate::matrix::fixture::Fixture;

/// Requests at the same time.
const AT_ONCE: usize = 8;

/// The state of an operation between the two rounds.
struct Tested {
    operation: Operation,
    bases: Vec<Base>,
    /// The cases that must be refused, and the cases that were.
    refused: Vec<Case>,
}

struct Test {
    fixture: Fixture,
    host: String,
    turns: Turns,
    keys: Vec<String>,
    sent: usize,
    failures: Vec<String>,
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_in_any_field_or_parameter_is_never_a_5xx_and_refused_requests_write_nothing() {
    let mut fixture = Fixture::open().await;
    fixture.set_up_for_corpus().await;
    let host = host(&fixture);
    let (turns, keys) = (Turns::default(), document::keys_of_problems());
    let mut test = Test { fixture, host, turns, keys, sent: 0, failures: Vec::new() };
    let mut tested = Vec::new();
    // Without fields and parameters are a stream, reads, and refreshes, which delete the articles of the demo: they come last.
    let operations = document::operations().into_iter().filter(|operation| operation.route != "/api/live");
    let (mut with_input, without): (Vec<_>, Vec<_>) =
        operations.partition(|operation| !operation.parameters.is_empty() || !operation.forms.is_empty());
    // The first place of a class gets all values: better not where each uses up a member or a report.
    with_input.sort_by_key(|operation| bases::of(operation).iter().any(Base::is_used_up));
    for operation in with_input {
        tested.push(test.first_round(operation).await);
    }
    test.second_round(&tested).await;
    for operation in without {
        tested.push(test.first_round(operation).await);
    }
    let Test { fixture, sent, failures, .. } = test;
    println!("bad input: {sent} requests to {} operations", tested.len());
    fixture.stack.stop().await.unwrap();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

impl Test {
    /// The valid requests, then the cases that may be accepted.
    async fn first_round(&mut self, operation: Operation) -> Tested {
        keep_time(&self.fixture.stack).await;
        let bases = bases::of(&operation);
        let cases = cases::of(&operation, &bases, &mut self.turns);
        let (mut refused, mut open): (Vec<_>, Vec<_>) = cases.into_iter().partition(|case| case.value.is_refused);
        for (number, base) in bases.iter().enumerate() {
            let prepared = self.accepted(&operation, base, None).await;
            let cases: Vec<Case> = open.extract_if(.., |case| case.base == number).collect();
            if base.is_used_up() {
                let mut unused = None;
                for case in cases {
                    self.one_by_one(&operation, base, case, &mut unused, &mut refused).await;
                }
                continue;
            }
            let replies = self.send_all(&operation, &cases, |_| &prepared).await;
            for (case, reply) in cases.into_iter().zip(replies) {
                self.check(&operation, &case, &reply);
                if reply.status >= 400 {
                    refused.push(case);
                }
            }
            self.accepted(&operation, base, Some(prepared)).await;
        }
        Tested { operation, bases, refused }
    }

    /// A case with the entities that no earlier one has used up.
    async fn one_by_one(
        &mut self,
        operation: &Operation,
        base: &Base,
        case: Case,
        unused: &mut Option<Prepared>,
        refused: &mut Vec<Case>,
    ) {
        let prepared = match unused.take() {
            Some(prepared) => prepared,
            None => base.prepare(&mut self.fixture).await,
        };
        let replies = self.send_all(operation, std::slice::from_ref(&case), |_| &prepared).await;
        self.check(operation, &case, &replies[0]);
        if replies[0].status >= 400 && !base.is_made_each_time() {
            *unused = Some(prepared);
            refused.push(case);
        }
    }

    /// All that is refused, with one state before and after; then the valid requests again.
    async fn second_round(&mut self, tested: &[Tested]) {
        // Renewed between two requests, they would end the code of the first.
        self.fixture.renew_codes().await;
        let mut prepared: Vec<Vec<Prepared>> = Vec::new();
        for Tested { bases, .. } in tested {
            let mut of_operation = Vec::new();
            for base in bases {
                of_operation.push(base.prepare(&mut self.fixture).await);
            }
            prepared.push(of_operation);
        }
        keep_removed_content(&self.fixture.stack).await;
        keep_time(&self.fixture.stack).await;
        let before = rows(&self.fixture.stack, Measure::Contents).await;
        for (Tested { operation, refused, .. }, prepared) in tested.iter().zip(&prepared) {
            let replies = self.send_all(operation, refused, |case| &prepared[case.base]).await;
            for (case, reply) in refused.iter().zip(&replies) {
                self.check(operation, case, reply);
                if reply.status < 400 {
                    self.fail(operation, &case.describe(), reply, "accepted");
                } else if !case.is_refused_by(operation, reply) {
                    self.fail(operation, &case.describe(), reply, "refused with another status");
                } else if !case.is_explained_by(operation, reply) {
                    self.fail(operation, &case.describe(), reply, "not explained");
                }
            }
        }
        let after = rows(&self.fixture.stack, Measure::Contents).await;
        self.failures.extend(differences(&before, &after));
        keep_time(&self.fixture.stack).await;
        for (Tested { operation, bases, .. }, prepared) in tested.iter().zip(prepared) {
            for (base, prepared) in bases.iter().zip(prepared) {
                if !base.is_made_each_time() {
                    self.accepted(operation, base, Some(prepared)).await;
                }
            }
        }
    }

    /// Sends the valid request, which must be accepted: otherwise its cases prove nothing.
    async fn accepted(&mut self, operation: &Operation, base: &Base, prepared: Option<Prepared>) -> Prepared {
        let prepared = match prepared {
            Some(prepared) => prepared,
            None => base.prepare(&mut self.fixture).await,
        };
        self.sent += 1;
        let request = cases::valid(operation, &prepared, &self.host);
        let reply = send(self.fixture.stack.address, &request).await;
        if !operation.statuses.contains(&reply.status) {
            self.fail(operation, &format!("the valid {prepared:?}"), &reply, "not accepted");
        }
        prepared
    }

    async fn send_all<'a>(
        &mut self,
        operation: &Operation,
        cases: &'a [Case],
        prepared: impl Fn(&'a Case) -> &'a Prepared,
    ) -> Vec<Reply> {
        self.sent += cases.len();
        let requests = cases.iter().map(|case| case.request(operation, prepared(case), &self.host));
        let requests: Vec<Vec<u8>> = requests.collect();
        let address = self.fixture.stack.address;
        let replies = stream::iter(&requests).map(|request| send(address, request));
        // More pictures at once than can be decoded are refused as such.
        replies.buffered(if operation.route.ends_with("pictures") { 1 } else { AT_ONCE }).collect().await
    }

    /// Checks the rules of every response.
    fn check(&mut self, operation: &Operation, case: &Case, reply: &Reply) {
        let is_documented = match reply.status {
            ..=399 => operation.statuses.contains(&reply.status),
            // The caller is signed in, and within the limits.
            401 => operation.route.starts_with("/api/auth/"),
            429 => false,
            status => status < 500,
        };
        if !is_documented {
            self.fail(operation, &case.describe(), reply, "unexpected status");
        }
        if reply.status == 400 && case.value.kind == limits::AT {
            self.fail(operation, &case.describe(), reply, "refused");
        }
        // The HTTP library refuses headers without a body.
        let is_of_http = matches!(case.place, cases::At::Header(_)) && reply.body.is_empty();
        if reply.status >= 400 && !is_of_http {
            if let Err(fault) = reply.check() {
                self.fail(operation, &case.describe(), reply, &fault);
            } else if self.keys.iter().any(|key| reply.json().get(key).is_none()) {
                self.fail(operation, &case.describe(), reply, "not the documented error");
            }
        }
    }

    fn fail(&mut self, operation: &Operation, what: &str, reply: &Reply, fault: &str) {
        let failure = format!("{fault}: {} {}: {what}: {reply}", operation.method, operation.route);
        println!("{failure}");
        self.failures.push(failure);
    }
}

/// The purge of every ten minutes must not find content to delete while refused requests are sent.
async fn keep_removed_content(stack: &Stack) {
    let options = stack.context("feed").unwrap().database.clone().unwrap();
    let mut connection = options.connect().await.unwrap();
    let later = "update feed.removals set kept_until = kept_until + interval '1 day'";
    sqlx::raw_sql(later).execute(&mut connection).await.unwrap();
}

/// A message can be changed for 15 minutes, and a member is trusted for ten after a proof. On a busy machine, a round takes longer.
async fn keep_time(stack: &Stack) {
    for (service, renew) in [
        ("messaging", "update messaging.messages set sent_at = now()"),
        ("auth", "update auth.sessions set proved_at = now() where proved_at is not null"),
    ] {
        let options = stack.context(service).unwrap().database.clone().unwrap();
        let mut connection = options.connect().await.unwrap();
        sqlx::raw_sql(renew).execute(&mut connection).await.unwrap();
    }
}

/// Tables with other rows than before.
fn differences(before: &Rows, after: &Rows) -> Vec<String> {
    let changed = after.iter().filter(|(table, rows)| {
        let before = before.get(*table).map(String::as_str).unwrap_or_default();
        match table.as_str() {
            // Refused passwords and codes are recorded.
            "auth.audit" | "auth.audit_head" => false,
            // A session notes its last use.
            "auth.sessions" => before.split(' ').next() != rows.split(' ').next(),
            _ => before != rows.as_str(),
        }
    });
    changed
        .map(|(table, rows)| format!("a refused request wrote: {table}: {:?} -> {rows}", before.get(table)))
        .collect()
}
