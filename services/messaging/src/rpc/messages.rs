//! List, get, search, send and change messages; reactions, read marks and typing.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{MessagingService, RpcResult, commit, pb};
use crate::{
    attachments::reported,
    conversations,
    convert::{MarkRead, Reaction, parse_conversation_id, parse_message_id, parse_message_ref},
    error::Error,
    messages::{
        self,
        change::{self, EditedMessage},
        list::{self, ListMessages},
        mark_read, reactions,
        search::{self, MessageSearch},
        send::{self, NewMessage},
    },
};

pub(super) async fn list(
    service: &MessagingService,
    request: Request<pb::ListMessagesRequest>,
) -> RpcResult<pb::ListMessagesResponse> {
    let member = Actor::member(&request)?;
    let mut query = ListMessages::try_from(request.into_inner())?;
    if let Some(message) = query.around {
        let db = &mut *service.connection().await?;
        query.before = list::position_around(db, member, query.conversation, message, query.size).await?;
    }
    let (page, conversation) = list::list(&mut *service.connection().await?, member, &query).await?;
    let (messages, next_page_token) = page.into_wire();
    let conversation = Some(conversation.into());
    Ok(Response::new(pb::ListMessagesResponse { messages, next_page_token, conversation }))
}

pub(super) async fn get(
    service: &MessagingService,
    request: Request<pb::GetMessageRequest>,
) -> RpcResult<pb::GetMessageResponse> {
    let member = Actor::member(&request)?;
    let id = parse_message_id(&request.get_ref().message_id).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let message = if request.get_ref().for_report {
        messages::get_reported(db, member, id).await?
    } else {
        messages::get(db, member, id).await?
    };
    Ok(Response::new(pb::GetMessageResponse { message: Some(message.into()) }))
}

pub(super) async fn preserve(
    service: &MessagingService,
    request: Request<pb::PreserveMessageRequest>,
) -> RpcResult<pb::PreserveMessageResponse> {
    let member = Actor::member(&request)?;
    let id = parse_message_id(&request.get_ref().message_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let message = messages::get_reported(work.db, member, id).await?;
    if let Some(attachments) = &message.attachments {
        reported::preserve(work, message.id, attachments, member).await?;
    }
    commit(tx).await?;
    Ok(Response::new(pb::PreserveMessageResponse { message: Some(message.into()) }))
}

pub(super) async fn search(
    service: &MessagingService,
    request: Request<pb::SearchMessagesRequest>,
) -> RpcResult<pb::SearchMessagesResponse> {
    let member = Actor::member(&request)?;
    let query = MessageSearch::try_from(request.into_inner())?;
    let page = search::search(&mut *service.connection().await?, member, &query).await?;
    let (messages, next_page_token) = page.into_wire();
    Ok(Response::new(pb::SearchMessagesResponse { messages, next_page_token }))
}

pub(super) async fn send(
    service: &MessagingService,
    request: Request<pb::SendMessageRequest>,
) -> RpcResult<pb::SendMessageResponse> {
    let member = Actor::member(&request)?;
    let new = NewMessage::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    // The id of a message contains the bucket of its conversation.
    let id = work.ids.owned_by(new.conversation);
    let message = send::send(work, service.rate_limit_scale, id, member, &new).await?;
    commit(tx).await?;
    Ok(Response::new(pb::SendMessageResponse { message: Some(message.into()) }))
}

pub(super) async fn edit(
    service: &MessagingService,
    request: Request<pb::EditMessageRequest>,
) -> RpcResult<pb::EditMessageResponse> {
    let member = Actor::member(&request)?;
    let edited = EditedMessage::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    change::edit(&mut service.work(&mut tx), member, &edited).await?;
    let message = messages::get(&mut tx, member, edited.message.id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::EditMessageResponse { message: Some(message.into()) }))
}

pub(super) async fn delete(
    service: &MessagingService,
    request: Request<pb::DeleteMessageRequest>,
) -> RpcResult<pb::DeleteMessageResponse> {
    let member = Actor::member(&request)?;
    let message = parse_message_ref(&request.get_ref().conversation_id, &request.get_ref().message_id)?;
    let mut tx = service.begin().await?;
    change::delete(&mut service.work(&mut tx), member, message).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DeleteMessageResponse {}))
}

pub(super) async fn react(
    service: &MessagingService,
    request: Request<pb::ReactToMessageRequest>,
) -> RpcResult<pb::ReactToMessageResponse> {
    let member = Actor::member(&request)?;
    let Reaction { message, kind, on } = Reaction::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    reactions::react(&mut service.work(&mut tx), member, message, kind, on).await?;
    let message = messages::get(&mut tx, member, message.id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::ReactToMessageResponse { message: Some(message.into()) }))
}

pub(super) async fn mark_read(
    service: &MessagingService,
    request: Request<pb::MarkReadRequest>,
) -> RpcResult<pb::MarkReadResponse> {
    let member = Actor::member(&request)?;
    let MarkRead { conversation, message } = MarkRead::try_from(request.into_inner())?;
    // Most requests repeat a mark, which needs no lock.
    let unread = mark_read::find_unread(&mut *service.connection().await?, member, conversation, message).await?;
    if let Some(seq) = unread {
        let mut tx = service.begin().await?;
        mark_read::mark_read(&mut service.work(&mut tx), member, conversation, seq).await?;
        commit(tx).await?;
    }
    Ok(Response::new(pb::MarkReadResponse {}))
}

pub(super) async fn note_typing(
    service: &MessagingService,
    request: Request<pb::NoteTypingRequest>,
) -> RpcResult<pb::NoteTypingResponse> {
    let member = Actor::member(&request)?;
    let id = parse_conversation_id(&request.get_ref().conversation_id).map_err(Error::from)?;
    let recipients = conversations::typing_recipients(&mut *service.connection().await?, member, id).await?;
    let mut recipient_ids: Vec<String> = recipients.iter().map(ToString::to_string).collect();
    let recipient_id = if recipient_ids.len() == 1 { recipient_ids.pop() } else { None };
    Ok(Response::new(pb::NoteTypingResponse { recipient_id, recipient_ids }))
}
