//! The calls about conversations and what is said in them: a transaction each where something changes.

use db::begin;
use portia_proto::messaging as wire;
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{Answer, Rpc};
use crate::{
    conversations::{self, steps},
    convert::{self, Mark, MyConversations, Thread},
    error::Error,
    messages::{self, Message, marks, send::NewMessage},
    standing::Effects,
};

pub async fn list(
    rpc: &Rpc,
    request: Request<wire::ListConversationsRequest>,
) -> Answer<wire::ListConversationsResponse> {
    let member = Actor::member(&request)?;
    let mine = MyConversations::try_from(request.into_inner())?;
    let page = conversations::list(&mut *rpc.reader().await?, member, &mine).await?;
    let (conversations, next_page_token) = page.into_wire();
    Ok(Response::new(wire::ListConversationsResponse { conversations, next_page_token }))
}

pub async fn partners(rpc: &Rpc, request: Request<wire::ListPartnersRequest>) -> Answer<wire::ListPartnersResponse> {
    let member = Actor::member(&request)?;
    let folder = convert::folder(request.get_ref().folder).map_err(Error::from)?;
    let partners = conversations::partners(&mut *rpc.reader().await?, member, folder).await?;
    let member_ids = partners.iter().map(Uuid::to_string).collect();
    Ok(Response::new(wire::ListPartnersResponse { member_ids }))
}

pub async fn find(rpc: &Rpc, request: Request<wire::GetConversationRequest>) -> Answer<wire::GetConversationResponse> {
    let member = Actor::member(&request)?;
    let id = convert::conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    let conversation = conversations::find(&mut *rpc.reader().await?, member, id).await?;
    Ok(Response::new(wire::GetConversationResponse { conversation: Some(conversation.into()) }))
}

pub async fn open(
    rpc: &Rpc,
    request: Request<wire::OpenConversationRequest>,
) -> Answer<wire::OpenConversationResponse> {
    let member = Actor::member(&request)?;
    let other = convert::other_than(member, &request.get_ref().member_id).map_err(Error::from)?;
    let (id, created) = rpc.open(member, other).await?;
    let conversation = conversations::find(&mut *rpc.reader().await?, member, id).await?;
    Ok(Response::new(wire::OpenConversationResponse { conversation: Some(conversation.into()), created }))
}

pub async fn accept(rpc: &Rpc, request: Request<wire::AcceptRequestRequest>) -> Answer<wire::AcceptRequestResponse> {
    let member = Actor::member(&request)?;
    let id = convert::conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    rpc.accept(member, id).await?;
    let conversation = conversations::find(&mut *rpc.reader().await?, member, id).await?;
    Ok(Response::new(wire::AcceptRequestResponse { conversation: Some(conversation.into()) }))
}

pub async fn clear(
    rpc: &Rpc,
    request: Request<wire::ClearConversationRequest>,
) -> Answer<wire::ClearConversationResponse> {
    let member = Actor::member(&request)?;
    let id = convert::conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    rpc.clear(member, id).await?;
    Ok(Response::new(wire::ClearConversationResponse {}))
}

pub async fn messages(rpc: &Rpc, request: Request<wire::ListMessagesRequest>) -> Answer<wire::ListMessagesResponse> {
    let member = Actor::member(&request)?;
    let thread = Thread::try_from(request.into_inner())?;
    let (page, conversation) = messages::list(&mut *rpc.reader().await?, member, &thread).await?;
    let (messages, next_page_token) = page.into_wire();
    let conversation = Some(conversation.into());
    Ok(Response::new(wire::ListMessagesResponse { messages, next_page_token, conversation }))
}

pub async fn message(rpc: &Rpc, request: Request<wire::GetMessageRequest>) -> Answer<wire::GetMessageResponse> {
    let member = Actor::member(&request)?;
    let id = convert::message_id(&request.get_ref().message_id).map_err(Error::from)?;
    let message = messages::find(&mut *rpc.reader().await?, member, id).await?;
    Ok(Response::new(wire::GetMessageResponse { message: Some(message.into()) }))
}

pub async fn send(rpc: &Rpc, request: Request<wire::SendMessageRequest>) -> Answer<wire::SendMessageResponse> {
    let member = Actor::member(&request)?;
    let new = NewMessage::try_from(request.into_inner())?;
    let message = rpc.send(member, &new).await?;
    Ok(Response::new(wire::SendMessageResponse { message: Some(message.into()) }))
}

pub async fn mark_read(rpc: &Rpc, request: Request<wire::MarkReadRequest>) -> Answer<wire::MarkReadResponse> {
    let member = Actor::member(&request)?;
    let mark = Mark::try_from(request.into_inner())?;
    rpc.mark_read(member, &mark).await?;
    Ok(Response::new(wire::MarkReadResponse {}))
}

pub async fn note_typing(rpc: &Rpc, request: Request<wire::NoteTypingRequest>) -> Answer<wire::NoteTypingResponse> {
    let member = Actor::member(&request)?;
    let id = convert::conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    let listener = conversations::listener(&mut *rpc.reader().await?, member, id).await?;
    Ok(Response::new(wire::NoteTypingResponse { recipient_id: listener.map(|id| id.to_string()) }))
}

impl Rpc {
    /// Most who press Message have a conversation with the other: they wait for nobody.
    async fn open(&self, member: Uuid, other: Uuid) -> Result<(Uuid, bool), Error> {
        if let Some(id) = conversations::with(&mut *self.reader().await?, member, other).await? {
            return Ok((id, false));
        }
        let mut tx = begin(&self.db).await?;
        let opened = steps::open(&mut tx, self.ids.new_owner(), member, other, self.clock.now()).await?;
        self.settle(&mut tx, opened.effects).await?;
        tx.commit().await?;
        Ok((opened.id, opened.created))
    }

    async fn accept(&self, member: Uuid, id: Uuid) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        let effects = steps::accept(&mut tx, id, member).await?;
        self.settle(&mut tx, effects).await?;
        Ok(tx.commit().await?)
    }

    async fn clear(&self, member: Uuid, id: Uuid) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        let effects = steps::clear(&mut tx, id, member).await?;
        self.settle(&mut tx, effects).await?;
        Ok(tx.commit().await?)
    }

    async fn send(&self, member: Uuid, new: &NewMessage) -> Result<Message, Error> {
        let id = self.ids.owned_by(new.conversation);
        let mut tx = begin(&self.db).await?;
        let sent = messages::send::send(&mut tx, id, member, new, self.clock.now()).await?;
        self.settle(&mut tx, sent.effects).await?;
        tx.commit().await?;
        Ok(sent.message)
    }

    /// A thread that is looked at again was read before: that waits for nobody.
    async fn mark_read(&self, member: Uuid, mark: &Mark) -> Result<(), Error> {
        let unread = marks::unread(&mut *self.reader().await?, member, mark.conversation, mark.message).await?;
        let Some(seq) = unread else { return Ok(()) };
        let mut tx = begin(&self.db).await?;
        let effects = marks::put(&mut tx, member, mark.conversation, seq).await?;
        self.settle(&mut tx, effects).await?;
        Ok(tx.commit().await?)
    }

    async fn settle(&self, db: &mut PgConnection, effects: Effects) -> Result<(), Error> {
        Ok(effects.settle(db, &self.outbox, self.clock.now()).await?)
    }
}
