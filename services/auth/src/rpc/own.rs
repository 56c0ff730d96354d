//! What owners do with their accounts, each in its transaction: a new password, fewer sessions, new codes, the end.
//!
//! Every one of them locks the account's row before anything that hangs on it, and holds no connection while it hashes.

use chrono::{DateTime, TimeDelta, Utc};
use primitives::error::Violation;
use uuid::Uuid;

use super::Rpc;
use crate::{
    accounts::{self, Account},
    audit::Event,
    closing,
    convert::{Browser, NewPassword, Offer, Reproof},
    error::Error,
    facts,
    hashing::Verdict,
    links,
    password::Password,
    recovery::{self, Code},
    sessions::{self, Session},
    trusted,
};

/// A session younger than this needs no password for what a browser left open must not do.
const FRESH: TimeDelta = TimeDelta::minutes(15);

impl Rpc {
    /// Sets a new password for one proof. Returns whose it is, and the sessions that ended.
    pub(super) async fn reset(&self, offer: Offer) -> Result<(Uuid, Vec<Uuid>), Error> {
        let now = self.clock.now();
        let account = accounts::named(&self.db, &offer.username, now).await?.ok_or(Error::AccountNotFound)?;
        let (proof, member) = (offer.proof, account.id);
        if let Err(refused) = proof.look_at(&self.db, member, now).await {
            if matches!(refused, Error::ProofMissing | Error::ProofRefused) {
                self.note_later(member, Event::ResetRefused, &offer.browser);
            }
            return Err(refused);
        }
        let hash = self.hashing.hash(offer.password).await?;
        let now = self.clock.now();
        let mut tx = db::begin(&self.db).await?;
        if !accounts::set_hash(&mut tx, member, &hash, now).await? {
            return Err(Error::AccountNotFound);
        }
        proof.use_up(&mut tx, member, now).await?;
        let ended = sessions::end_all(&mut tx, member, None).await?;
        self.note(&mut tx, member, proof.event(), Some(&offer.browser)).await?;
        facts::sessions_ended(&self.outbox, &mut tx, member, &ended, now).await?;
        tx.commit().await?;
        Ok((member, ended))
    }

    /// Sets a new password for the present one. Returns the sessions that ended: all but the asking one.
    pub(super) async fn change(&self, asking: Session, change: NewPassword) -> Result<Vec<Uuid>, Error> {
        let (account, _) = accounts::signed_in(&self.db, asking, self.clock.now()).await?;
        change.accept(self.policy, &account.username)?;
        let NewPassword { current, new, keep, browser } = change;
        self.prove(&account, current, "currentPassword", &browser).await?;
        let hash = self.hashing.hash(new).await?;
        let (member, now) = (asking.member, self.clock.now());
        let mut tx = db::begin(&self.db).await?;
        accounts::hold(&mut tx, asking, now).await?;
        if !accounts::replace_hash(&mut tx, &account, &hash).await? {
            return Err(Error::password_wrong("currentPassword"));
        }
        let ended = sessions::end_all(&mut tx, member, Some(asking.id)).await?;
        trusted::forget(&mut tx, member, keep.as_deref()).await?;
        links::take_back(&mut tx, member).await?;
        self.note(&mut tx, member, Event::PasswordChanged, Some(&browser)).await?;
        facts::sessions_ended(&self.outbox, &mut tx, member, &ended, now).await?;
        tx.commit().await?;
        Ok(ended)
    }

    /// Ends one session or all of them; returns which.
    pub(super) async fn end(&self, asking: Session, one: Option<Uuid>) -> Result<Vec<Uuid>, Error> {
        let (member, now) = (asking.member, self.clock.now());
        let mut tx = db::begin(&self.db).await?;
        accounts::hold(&mut tx, asking, now).await?;
        let (ended, event) = match one {
            Some(id) if sessions::end_one(&mut tx, Session { id, member }).await? => {
                (vec![id], Event::SessionEnded(id))
            }
            Some(_) => return Err(Error::SessionNotFound),
            None => (sessions::end_all(&mut tx, member, None).await?, Event::SignedOutEverywhere),
        };
        self.note(&mut tx, member, event, None).await?;
        facts::sessions_ended(&self.outbox, &mut tx, member, &ended, now).await?;
        tx.commit().await?;
        Ok(ended)
    }

    /// Makes new recovery codes in the place of the old ones.
    pub(super) async fn renew_codes(&self, asking: Session, again: Reproof) -> Result<Vec<Code>, Error> {
        let (account, since) = accounts::signed_in(&self.db, asking, self.clock.now()).await?;
        let browser = self.prove_again(&account, since, again).await?;
        let (codes, now) = (recovery::draw()?, self.clock.now());
        let mut tx = db::begin(&self.db).await?;
        still_proved(&account, &accounts::hold(&mut tx, asking, now).await?)?;
        recovery::renew(&mut tx, asking.member, &codes, now).await?;
        self.note(&mut tx, asking.member, Event::CodesMade, Some(&browser)).await?;
        tx.commit().await?;
        Ok(codes)
    }

    /// Closes the account. Returns the sessions that ended, and when it is erased.
    pub(super) async fn close(
        &self,
        asking: Session,
        confirmation: &str,
        again: Reproof,
    ) -> Result<(Vec<Uuid>, DateTime<Utc>), Error> {
        let (account, since) = accounts::signed_in(&self.db, asking, self.clock.now()).await?;
        if !account.username.eq_ignore_ascii_case(confirmation.trim()) {
            return Err(Violation::new("confirmation", "Type your username to confirm.").into());
        }
        let browser = self.prove_again(&account, since, again).await?;
        let (member, now) = (asking.member, self.clock.now());
        let mut tx = db::begin(&self.db).await?;
        still_proved(&account, &accounts::hold(&mut tx, asking, now).await?)?;
        if !closing::close(&mut tx, member, now).await? {
            return Err(Error::SessionEnded);
        }
        let ended = sessions::end_all(&mut tx, member, None).await?;
        links::take_back(&mut tx, member).await?;
        self.note(&mut tx, member, Event::Closed, Some(&browser)).await?;
        facts::sessions_ended(&self.outbox, &mut tx, member, &ended, now).await?;
        facts::account_closed(&self.outbox, &mut tx, member, now).await?;
        tx.commit().await?;
        Ok((ended, now + closing::UNDO))
    }

    /// Asks for the password again, unless somebody signed in just now.
    async fn prove_again(&self, account: &Account, since: DateTime<Utc>, again: Reproof) -> Result<Browser, Error> {
        let Reproof { password, browser } = again;
        if self.clock.now() - since >= FRESH {
            let password = password.ok_or_else(Error::password_required)?;
            self.prove(account, password, "password", &browser).await?;
        }
        Ok(browser)
    }

    async fn prove(&self, account: &Account, password: Password, field: &str, browser: &Browser) -> Result<(), Error> {
        match self.hashing.verify(password, Some(&account.password_hash)).await? {
            Verdict::Right { .. } => Ok(()),
            Verdict::Wrong => {
                self.note_later(account.id, Event::PasswordRefused, browser);
                Err(Error::password_wrong(field))
            }
        }
    }
}

/// The password that was proved is the account's no more when it was changed meanwhile.
fn still_proved(proved: &Account, held: &Account) -> Result<(), Error> {
    if proved.password_hash == held.password_hash { Ok(()) } else { Err(Error::password_wrong("password")) }
}
