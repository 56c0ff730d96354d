//! The routes of the bare server. The member is in the query: it has no sessions.

use std::io::Write as _;

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use chrono::{DateTime, TimeDelta, Utc};
use primitives::clock::Clock;
use serde::Deserialize;
use sqlx::{PgPool, postgres::PgConnectOptions, postgres::PgPoolOptions};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::{READY, queries};

/// The number of connections that one service of Portia has by default.
const CONNECTIONS: u32 = 10;

/// A failed statement; the process prints it, and the measurement counts the status.
struct Failure(sqlx::Error);

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        eprintln!("{}", self.0);
        StatusCode::INTERNAL_SERVER_ERROR.into_response()
    }
}

#[derive(Clone)]
struct Server {
    db: PgPool,
    clock: Clock,
}

#[derive(Deserialize)]
struct Viewer {
    me: Uuid,
}

#[derive(Deserialize)]
struct Recent {
    me: Uuid,
    at: Option<DateTime<Utc>>,
    id: Option<Uuid>,
}

#[derive(Deserialize)]
struct Search {
    q: String,
}

/// Serves until the process is killed. Prints the address once it listens.
///
/// # Errors
/// When the database does not answer, or there is no port.
pub async fn serve(database: PgConnectOptions) -> anyhow::Result<()> {
    let pool = PgPoolOptions::new().min_connections(CONNECTIONS).max_connections(CONNECTIONS);
    let server = Server { db: pool.connect_with(database).await?, clock: Clock::system() };
    let router = Router::new()
        .route("/posts", get(recent))
        .route("/home", get(home))
        .route("/posts/{id}", get(post))
        .route("/posts/{id}/likes", axum::routing::post(like).delete(unlike))
        .route("/members/{id}", get(profile))
        .route("/unread", get(unread))
        .route("/people", get(people))
        .with_state(server);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let mut output = std::io::stdout();
    writeln!(output, "{READY}http://{address}")?;
    output.flush()?;
    let listener = axum::serve::ListenerExt::tap_io(listener, |socket| {
        // Without it a response may wait for the acknowledgement of the previous one.
        let _ = socket.set_nodelay(true);
    });
    Ok(axum::serve(listener, router).await?)
}

async fn recent(State(server): State<Server>, Query(query): Query<Recent>) -> Result<Response, Failure> {
    // The clock of the rows may be ahead.
    let newest = (server.clock.now() + TimeDelta::days(1), Uuid::max());
    let before = (query.at.unwrap_or(newest.0), query.id.unwrap_or(newest.1));
    let posts = queries::recent(&server.db, query.me, before).await?;
    let next = posts.last().map(|last| {
        let at = last.created_at.format("%Y-%m-%dT%H:%M:%S%.6fZ");
        format!("</posts?me={}&at={at}&id={}>; rel=\"next\"", query.me, last.id)
    });
    let link: Option<[(HeaderName, String); 1]> = next.map(|next| [(header::LINK, next)]);
    Ok((link, Json(posts)).into_response())
}

async fn home(State(server): State<Server>, Query(viewer): Query<Viewer>) -> Result<Response, Failure> {
    Ok(Json(queries::home(&server.db, viewer.me).await?).into_response())
}

async fn post(
    State(server): State<Server>,
    Path(id): Path<Uuid>,
    Query(viewer): Query<Viewer>,
) -> Result<Response, Failure> {
    let found = queries::post(&server.db, viewer.me, id).await?;
    Ok(found.map_or(StatusCode::NOT_FOUND.into_response(), |text| {
        ([(header::CONTENT_TYPE, "application/json")], text).into_response()
    }))
}

async fn profile(State(server): State<Server>, Path(id): Path<Uuid>) -> Result<Response, Failure> {
    let found = queries::profile(&server.db, id).await?;
    Ok(found.map_or(StatusCode::NOT_FOUND.into_response(), |profile| Json(profile).into_response()))
}

async fn like(
    State(server): State<Server>,
    Path(id): Path<Uuid>,
    Query(viewer): Query<Viewer>,
) -> Result<Response, Failure> {
    let count = queries::like(&server.db, viewer.me, id, server.clock.now()).await?;
    Ok(Json(count).into_response())
}

async fn unlike(
    State(server): State<Server>,
    Path(id): Path<Uuid>,
    Query(viewer): Query<Viewer>,
) -> Result<Response, Failure> {
    Ok(Json(queries::unlike(&server.db, viewer.me, id).await?).into_response())
}

async fn unread(State(server): State<Server>, Query(viewer): Query<Viewer>) -> Result<Response, Failure> {
    Ok(Json(queries::unread(&server.db, viewer.me).await?).into_response())
}

async fn people(State(server): State<Server>, Query(search): Query<Search>) -> Result<Response, Failure> {
    Ok(Json(queries::people(&server.db, &search.q).await?).into_response())
}
