//! The rules of conversations, as a story of three members that no database is asked about.

use std::collections::{BTreeMap, BTreeSet};

use primitives::ids::Ids;
use testkit::member;
use uuid::Uuid;

use super::talk::{NEW, Said, Side, Talk};
use crate::{conversations::Folder, facts::News, lots::Lots};

/// Most stories are short, so that there can be many; one in ten goes on for as long as the longest.
const SHORT: usize = 15;
const LONGEST: usize = 60;
const LONG_EVERY: usize = 10;
const CAST: u128 = 3;

#[derive(Debug)]
pub enum Wish {
    Open { who: u128, other: u128, id: Uuid },
    Say { who: u128, talk: Uuid, id: Uuid, words: &'static str, key: Option<&'static str> },
    Read { who: u128, talk: Uuid, message: Uuid },
    Clear { who: u128, talk: Uuid },
    Accept { who: u128, talk: Uuid },
    Connect { one: u128, other: u128, id: Uuid },
    Block { one: u128, other: u128 },
    Unblock { one: u128, other: u128 },
    Erase { who: u128 },
}

/// One story: who is in it, and how the rules say things stand.
#[derive(Debug)]
pub struct Story {
    cast: Vec<u128>,
    pub steps: usize,
    pub talks: BTreeMap<Uuid, Talk>,
    /// Conversations and messages that were.
    former: Vec<Uuid>,
    blocks: BTreeSet<(u128, u128)>,
    erased: BTreeSet<u128>,
    pub lots: Lots,
}

type Outcome = Result<Vec<News>, &'static str>;

impl Story {
    pub fn new(n: usize) -> Self {
        Self {
            cast: (CAST * n as u128 + 1..).take(CAST as usize).collect(),
            steps: if n.is_multiple_of(LONG_EVERY) { LONGEST } else { SHORT },
            talks: BTreeMap::new(),
            former: Vec::new(),
            blocks: BTreeSet::new(),
            erased: BTreeSet::new(),
            lots: Lots::new(n as u64),
        }
    }

    /// Who can still do something.
    pub fn members(&self) -> Vec<u128> {
        self.cast.iter().copied().filter(|who| !self.erased.contains(who)).collect()
    }

    fn blocked(&self, one: u128, other: u128) -> bool {
        self.blocks.contains(&(one, other)) || self.blocks.contains(&(other, one))
    }

    /// What somebody wishes for next. None when nobody is left to talk with.
    pub fn draw(&mut self, ids: &Ids) -> Option<Wish> {
        let members = self.members();
        let (who, other) = (self.lots.pick(&members), self.lots.pick(&members));
        let known: Vec<Uuid> = self.talks.keys().chain(&self.former).copied().collect();
        let talk = if known.is_empty() { member(1) } else { self.lots.pick(&known) };
        let (id, lot) = (ids.new_owner(), self.lots.draw(40));
        match lot {
            0..4 if who == other => (members.len() > 1).then_some(Wish::Clear { who, talk }),
            0..4 => Some(Wish::Open { who, other, id }),
            4..20 => {
                let words = self.lots.pick(&["Yes", "No"]);
                let key = self.lots.pick(&[None, None, None, Some("a"), Some("b")]);
                Some(Wish::Say { who, talk, id, words, key })
            }
            20..28 => {
                let of_it: Vec<Uuid> =
                    self.talks.get(&talk).map_or(Vec::new(), |talk| talk.said.iter().map(|said| said.id).collect());
                let message = if of_it.is_empty() { talk } else { self.lots.pick(&of_it) };
                Some(Wish::Read { who, talk, message })
            }
            28..31 => Some(Wish::Clear { who, talk }),
            31..34 => Some(Wish::Accept { who, talk }),
            34..36 if who != other && !self.blocked(who, other) => Some(Wish::Connect { one: who, other, id }),
            36 if who != other => Some(Wish::Block { one: who, other }),
            37..39 if who != other => Some(Wish::Unblock { one: who, other }),
            // Not too often: with each there is less to tell.
            39 if self.lots.draw(8) == 0 && members.len() > 1 => Some(Wish::Erase { who }),
            _ => Some(Wish::Accept { who, talk }),
        }
    }

    /// The rules. What is told, or why nothing changes.
    pub fn apply(&mut self, wish: &Wish) -> Outcome {
        match *wish {
            Wish::Open { who, other, id } => self.open(who, other, id),
            Wish::Say { who, talk, id, words, key } => self.say(who, talk, &Said { id, sender: Some(who), words, key }),
            Wish::Read { who, talk, message } => self.read(who, talk, message),
            Wish::Clear { who, talk } => {
                let it = self.there(who, talk)?;
                let count = it.said.len();
                let side = it.sides.get_mut(&who).unwrap();
                if !side.listed {
                    return Ok(Vec::new());
                }
                (side.listed, side.cleared) = (false, count);
                Ok(vec![changed(talk, who)])
            }
            Wish::Accept { who, talk } => {
                let it = self.there(who, talk)?;
                let side = it.sides.get_mut(&who).unwrap();
                if side.folder == Folder::Inbox {
                    return Ok(Vec::new());
                }
                side.folder = Folder::Inbox;
                it.requested_by = None;
                let other = it.other(who);
                Ok([who].into_iter().chain(self.present(other)).map(|who| changed(talk, who)).collect())
            }
            Wish::Connect { one, other, id } => {
                let id = self.between(one, other).unwrap_or(id);
                let it = self.talks.entry(id).or_insert_with(|| Talk::new(one, other));
                it.requested_by = None;
                for who in [one, other] {
                    it.sides.entry(who).or_insert(NEW).folder = Folder::Inbox;
                }
                Ok(vec![changed(id, one), changed(id, other)])
            }
            Wish::Block { one, other } => {
                let talk = self.between(one, other);
                if !self.blocks.insert((one, other)) {
                    return Ok(Vec::new());
                }
                if let Some(it) = talk.and_then(|talk| self.talks.get_mut(&talk)) {
                    for side in it.sides.values_mut() {
                        side.read = it.said.len();
                    }
                }
                Ok(talk.map_or(Vec::new(), |talk| self.told_to_those_who_list(talk)))
            }
            Wish::Unblock { one, other } => {
                let lifted = self.blocks.remove(&(one, other)) && !self.blocked(one, other);
                let talk = self.between(one, other).filter(|_| lifted);
                Ok(talk.map_or(Vec::new(), |talk| self.told_to_those_who_list(talk)))
            }
            Wish::Erase { who } => {
                self.erase(who);
                Ok(Vec::new())
            }
        }
    }

    fn open(&mut self, who: u128, other: u128, id: Uuid) -> Outcome {
        if self.blocked(who, other) {
            return Err("MEMBER_NOT_FOUND");
        }
        let Some(talk) = self.between(who, other) else {
            let mut it = Talk::new(who, other);
            it.requested_by = Some(who);
            it.sides.insert(who, NEW);
            self.talks.insert(id, it);
            return Ok(vec![changed(id, who)]);
        };
        let it = self.talks.get_mut(&talk).unwrap();
        let side = it.sides.entry(who).or_insert(Side { listed: false, ..NEW });
        if side.listed {
            return Ok(Vec::new());
        }
        (side.listed, side.folder) = (true, Folder::Inbox);
        let mut news = vec![changed(talk, who)];
        if it.requested_by == Some(other) {
            it.requested_by = None;
            news.push(changed(talk, other));
        }
        Ok(news)
    }

    fn say(&mut self, who: u128, talk: Uuid, new: &Said) -> Outcome {
        let other = self.there(who, talk)?.other(who);
        let present = self.present(other);
        let it = self.there(who, talk)?;
        let before = it.said.len();
        let allowed = match present {
            None => Err("FORMER_MEMBER"),
            Some(_) if it.requested_by == Some(who) && before >= 5 => Err("REQUEST_WAITING"),
            Some(other) => Ok(other),
        };
        let earlier = it.said.iter().find(|said| new.key.is_some() && said.key == new.key && said.sender == new.sender);
        if let Some(earlier) = earlier {
            return if earlier.words == new.words { Ok(Vec::new()) } else { Err("IDEMPOTENCY_KEY_REUSED") };
        }
        let other = allowed?;
        it.said.push(Said { ..*new });
        let asks = it.requested_by == Some(who);
        if !asks {
            it.requested_by = None;
        }
        let mine = it.sides.get_mut(&who).unwrap();
        let was = *mine;
        *mine = Side { folder: Folder::Inbox, listed: true, read: before + 1, ..was };
        let folder = if asks { Folder::Requests } else { Folder::Inbox };
        let theirs = it.sides.entry(other).or_insert(Side { folder, listed: false, ..NEW });
        let appears = !theirs.listed;
        theirs.listed = true;

        let answers = was.folder == Folder::Requests;
        let [sender, recipient] = [who, other].map(member);
        let mut news = vec![News::Sent { conversation: talk, message: new.id, sender, recipient }];
        if was.read < before {
            news.push(News::Read { conversation: talk, reader: sender, other: Some(recipient) });
        }
        if answers || !was.listed {
            news.push(changed(talk, who));
        }
        if answers || appears {
            news.push(changed(talk, other));
        }
        Ok(news)
    }

    fn read(&mut self, who: u128, talk: Uuid, message: Uuid) -> Outcome {
        let it = self.there(who, talk)?;
        let place = it.said.iter().position(|said| said.id == message).ok_or("MESSAGE_NOT_FOUND")?;
        let side = it.sides.get_mut(&who).unwrap();
        if place < side.cleared {
            return Err("MESSAGE_NOT_FOUND");
        }
        if place < side.read {
            return Ok(Vec::new());
        }
        side.read = place + 1;
        let other = it.other(who);
        Ok(vec![News::Read { conversation: talk, reader: member(who), other: self.present(other).map(member) }])
    }

    fn erase(&mut self, who: u128) {
        let ids: Vec<Uuid> = self.talks.keys().copied().collect();
        for id in ids {
            let pair = self.talks[&id].pair;
            if !pair.contains(&who) {
                continue;
            }
            let blocked = self.blocked(pair[0], pair[1]);
            let it = self.talks.get_mut(&id).unwrap();
            if let Some(side) = it.sides.remove(&who) {
                it.former_read = side.read;
                if blocked {
                    for side in it.sides.values_mut() {
                        (side.listed, side.cleared) = (false, it.said.len());
                    }
                }
            }
            it.requested_by = None;
            for said in it.said.iter_mut().filter(|said| said.sender == Some(who)) {
                (said.sender, said.key) = (None, None);
            }
            if it.sides.is_empty() {
                self.talks.remove(&id);
                self.former.push(id);
            }
        }
        self.blocks.retain(|(one, other)| *one != who && *other != who);
        self.erased.insert(who);
    }

    /// The conversation, if it is there for `who`.
    fn there(&mut self, who: u128, talk: Uuid) -> Result<&mut Talk, &'static str> {
        if self.sees(who, talk) { Ok(self.talks.get_mut(&talk).unwrap()) } else { Err("CONVERSATION_NOT_FOUND") }
    }

    pub fn sees(&self, who: u128, talk: Uuid) -> bool {
        let it = self.talks.get(&talk).filter(|it| it.sides.contains_key(&who));
        it.is_some_and(|it| !self.blocked(it.pair[0], it.pair[1]))
    }

    pub fn present(&self, who: u128) -> Option<u128> {
        Some(who).filter(|who| !self.erased.contains(who))
    }

    fn between(&self, one: u128, other: u128) -> Option<Uuid> {
        let mut of_both = self.talks.iter().filter(|(_, it)| it.pair.contains(&one) && it.pair.contains(&other));
        of_both.next().map(|(id, _)| *id)
    }

    fn told_to_those_who_list(&self, talk: Uuid) -> Vec<News> {
        let sides = self.talks[&talk].sides.iter();
        sides.filter(|(_, side)| side.listed).map(|(who, _)| changed(talk, *who)).collect()
    }
}

fn changed(conversation: Uuid, who: u128) -> News {
    News::Changed { conversation, member: member(who) }
}
