-- The trust in a browser ends when another account signs in on it. Until now a browser kept that of earlier accounts.
delete from auth.trusted_browsers earlier
using auth.trusted_browsers later
where later.browser_hash = earlier.browser_hash
    and (later.trusted_at, later.member_id) > (earlier.trusted_at, earlier.member_id);
