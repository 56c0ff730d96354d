-- A trusted browser belongs to the session that made it: ending that session from another browser ends the trust. The session
-- may be gone: signing out on the browser itself keeps the trust. Browsers without a known session are not trusted any more.
delete from auth.trusted_browsers;

alter table auth.trusted_browsers add column session_id uuid not null;

create index trusted_browsers_session_id_idx on auth.trusted_browsers (session_id);
