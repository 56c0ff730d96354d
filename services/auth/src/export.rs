//! The export of a member's data, without secrets.

use data_export::{ExportError, ExportSource};
use portia_proto::auth::ExportMemberResponse;
use sqlx::PgConnection;
use uuid::Uuid;

/// Streams exports.
pub type Exporter = data_export::Exporter<MemberData>;
/// The stream of one export.
pub type RecordStream = data_export::RecordStream<ExportMemberResponse>;
type RecordWriter = data_export::RecordWriter<ExportMemberResponse>;

/// The sections of an export.
#[derive(Clone, Copy, Debug)]
pub struct MemberData;

impl ExportSource for MemberData {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
        sections(db, member, to).await
    }
}

async fn sections(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    data_export::sections!(to, db, member;
        "account" [id, username, created_at]
        "select id, username, created_at
        from auth.accounts
        where id = $1";

        // `proved_at` is the last proof after the sign-in, `second_factor_at` the last one by a code or a passkey.
        "sessions" [id, created_at, last_seen_at, ends_at, proved_at, second_factor_at, user_agent, address]
        "select id, created_at, last_seen_at, ends_at, proved_at, second_factor_at, user_agent, address
        from auth.sessions
        where member_id = $1
        order by created_at, id";

        "trusted-browsers" [trusted_since, trusted_at, last_seen_at, user_agent, address]
        "select trusted_since, trusted_at, last_seen_at, user_agent, address
        from auth.trusted_browsers
        where member_id = $1
        order by trusted_at";

        // The last sign-in on each browser that the account knows.
        "known-browsers" [signed_in_at]
        "select signed_in_at
        from auth.known_browsers
        where member_id = $1
        order by signed_in_at";

        "recovery-codes" [made_at, used_at]
        "select made_at, used_at
        from auth.recovery_codes
        where member_id = $1
        order by used_at nulls last";

        // Without the public key and the id of the credential, which sites could compare.
        "passkeys" [id, name, created_at, last_used_at, sign_count, backup_eligible, backed_up]
        "select id, name, created_at, last_used_at, sign_count, backup_eligible, backed_up
        from auth.passkeys
        where member_id = $1
        order by created_at, id";

        // Without the secret.
        "authenticator-app" [created_at, confirmed_at]
        "select created_at, confirmed_at
        from auth.totp_secrets
        where member_id = $1";

        "moderator" [granted_at]
        "select granted_at
        from auth.moderators
        where member_id = $1";

        // Without the moderators and their remarks.
        "suspension-appeals" [suspended_at, appeal, appealed_at, outcome, decided_at]
        "select
            suspended_at, appeal as \"appeal!\", appealed_at as \"appealed_at!\", appeal_outcome as outcome,
            appeal_decided_at as decided_at
        from auth.suspensions
        where member_id = $1
            and appealed_at is not null
        order by suspended_at";

        // Without the actions of operators and moderators: they would reveal that others reported the
        // member, and who decided.
        "audit" [at, event, session_id, address]
        "select at, event, session_id, address
        from auth.audit
        where member_id = $1
            and actor is null
        order by at, id";
    );
    Ok(())
}
