//! Coming in and going out: registration, sign-in, sign-out, each in its transaction.

use uuid::Uuid;

use super::Rpc;
use crate::{
    accounts::{self, Account},
    audit::Event,
    closing,
    convert::{Browser, Credentials, NewAccount},
    error::Error,
    facts,
    hashing::Verdict,
    password::Password,
    sessions::{self, NewSession, Opened, Session},
    token::Token,
    trusted::{self, Arrival, NewTrust},
};

/// Somebody who is signed in from now on.
pub(super) struct Admitted {
    pub(super) member: Uuid,
    pub(super) username: String,
    pub(super) session: NewSession,
    /// None on a shared computer.
    pub(super) trust: Option<NewTrust>,
    /// The account was closed until now.
    pub(super) reopened: bool,
}

impl Rpc {
    /// Creates an account with its first session and its fact. A registration that is sent again, because its answer
    /// was lost, opens another session; the password proves that it is the same one.
    pub(super) async fn create(&self, new: NewAccount) -> Result<Admitted, Error> {
        let hash = self.hashing.hash(new.password.clone()).await?;
        let now = self.clock.now();
        let session = NewSession::draw(new.id, new.browser.clone(), &self.ids, &self.clock)?;
        let trust = NewTrust::draw(new.arrival.clone(), now)?;
        let mut tx = db::begin(&self.db).await?;
        if accounts::create(&mut tx, &new, &hash, &session, &self.ids, &self.clock).await? {
            if let Some(trust) = &trust {
                trusted::renew(&mut tx, trust, new.id, now).await?;
            }
            facts::registered(&self.outbox, &mut tx, &new, now).await?;
            tx.commit().await?;
            let username = new.username.as_str().to_owned();
            return Ok(Admitted { member: new.id, username, session, trust, reopened: false });
        }
        tx.rollback().await?;
        let account = accounts::with_id(&self.db, new.id).await?.filter(|account| account.is_named(&new.username));
        match self.sign_in(account, new.password, new.browser, new.arrival).await {
            Err(Error::BadCredentials) => Err(Error::MemberIdTaken),
            other => other,
        }
    }

    /// Signs in by name.
    pub(super) async fn log_in(&self, credentials: Credentials) -> Result<Admitted, Error> {
        let account = accounts::named(&self.db, &credentials.username, self.clock.now()).await?;
        self.sign_in(account, credentials.password, credentials.browser, credentials.arrival).await
    }

    /// Proves a password, then opens a session. No connection is held while the hash is computed.
    async fn sign_in(
        &self,
        account: Option<Account>,
        password: Password,
        browser: Browser,
        arrival: Arrival,
    ) -> Result<Admitted, Error> {
        let stored = account.as_ref().map(|account| account.password_hash.as_str());
        let verdict = self.hashing.verify(password, stored).await?;
        let (account, renewed) = match (account, verdict) {
            (Some(account), Verdict::Right { renewed }) => (account, renewed),
            (account, _) => {
                if let Some(account) = account {
                    self.note_later(account.id, Event::SignInFailed, &browser);
                }
                return Err(Error::BadCredentials);
            }
        };
        self.admit(account, renewed, browser, arrival).await
    }

    async fn admit(
        &self,
        account: Account,
        renewed: Option<String>,
        browser: Browser,
        arrival: Arrival,
    ) -> Result<Admitted, Error> {
        let (member, now) = (account.id, self.clock.now());
        let session = NewSession::draw(member, browser.clone(), &self.ids, &self.clock)?;
        let trust = NewTrust::draw(arrival, now)?;
        let mut tx = db::begin(&self.db).await?;
        let proved = match renewed {
            Some(renewed) if accounts::replace_hash(&mut tx, &account, &renewed).await? => renewed,
            _ => account.password_hash,
        };
        let opened = sessions::open(&mut tx, &session, member, &proved, &self.ids, &self.clock).await?;
        let Opened { was_closed, is_suspended } = opened.ok_or(Error::BadCredentials)?;
        if is_suspended {
            tx.rollback().await?;
            self.note_later(member, Event::SignInRefused, &browser);
            return Err(Error::Suspended);
        }
        let displaced = sessions::displace(&mut tx, Session { id: session.id, member }).await?;
        for id in &displaced {
            self.note(&mut tx, member, Event::SessionDisplaced(*id), Some(&browser)).await?;
        }
        facts::sessions_ended(&self.outbox, &mut tx, member, &displaced, now).await?;
        let reopened = was_closed && closing::reopen(&mut tx, member, now).await?;
        if reopened {
            self.note(&mut tx, member, Event::Reopened, Some(&browser)).await?;
            facts::account_reopened(&self.outbox, &mut tx, member, now).await?;
        }
        if let Some(trust) = &trust {
            trusted::renew(&mut tx, trust, member, now).await?;
        }
        tx.commit().await?;
        Ok(Admitted { member, username: account.username, session, trust, reopened })
    }

    /// Ends the session of a token; its id, if there was one.
    pub(super) async fn sign_out(&self, token: &Token) -> Result<Option<Uuid>, Error> {
        let mut tx = db::begin(&self.db).await?;
        let ended = sessions::end(&mut tx, token).await?;
        if let Some(session) = ended {
            self.note(&mut tx, session.member, Event::SignedOut(session.id), None).await?;
            facts::session_ended(&self.outbox, &mut tx, session, self.clock.now()).await?;
        }
        tx.commit().await?;
        Ok(ended.map(|session| session.id))
    }
}
