//! Conversion of domain types to messages.

use chrono::{DateTime, Utc};
use portia_proto::{feed as pb, mentions::without_cut_token};
use prost_types::Timestamp;

use crate::{
    comments::Comment,
    link_previews::{LinkPreview, PreviewState},
    media::PostPdf,
    pictures::{self, PostPicture, UploadedPicture},
    posts::{Community, Post, Repost},
    reactions::Reaction,
    saved_items::{ItemKind, SavedItem},
    timeline::activity::{Activity, ActivityKind},
};

impl From<Reaction> for pb::Reaction {
    fn from(reaction: Reaction) -> Self {
        Self { member_id: reaction.member_id.to_string(), kind: pb::ReactionKind::from(reaction.kind).into() }
    }
}

impl From<Comment> for pb::Comment {
    fn from(comment: Comment) -> Self {
        Self {
            id: comment.id.to_string(),
            post_id: comment.post_id.to_string(),
            author_id: comment.author_id.to_string(),
            content: comment.content,
            created_at: Some(timestamp(comment.created_at)),
            edited_at: comment.edited_at.map(timestamp),
            reply_to: comment.reply_to.map(|id| id.to_string()),
            reply_count: comment.reply_count,
            like_count: comment.like_count,
            reactions: comment.reaction.into_iter().map(Into::into).collect(),
            // Added by rpc/mentions.rs, as below.
            mentioned_ids: Vec::new(),
        }
    }
}

impl From<Post> for pb::Post {
    fn from(post: Post) -> Self {
        Self {
            id: post.id.to_string(),
            author_id: post.author_id.to_string(),
            content: post.content,
            title: post.title,
            image_url: post.pictures.first().map(|picture| picture.url.clone()),
            picture: post.pictures.first().cloned().map(Into::into),
            pictures: post.pictures.into_iter().map(Into::into).collect(),
            pdf: post.pdf.map(Into::into),
            link_preview: post.link_preview.map(Into::into),
            video_url: post.video_url,
            created_at: Some(timestamp(post.created_at)),
            like_count: post.like_count,
            comment_count: post.comment_count,
            reactions: post.reactions.into_iter().map(Into::into).collect(),
            comments: post.comments.into_iter().map(Into::into).collect(),
            community: post.community.map(Into::into),
            edited_at: post.edited_at.map(timestamp),
            share_count: post.share_count,
            repost: post.repost.map(Into::into),
            mentioned_ids: Vec::new(),
            version: Vec::new(),
        }
    }
}

impl From<PostPicture> for pb::Picture {
    fn from(picture: PostPicture) -> Self {
        Self { alt: picture.alt, width: picture.width, height: picture.height }
    }
}

impl From<PostPicture> for pb::PostPicture {
    fn from(picture: PostPicture) -> Self {
        Self { url: picture.url, alt: picture.alt, width: picture.width, height: picture.height }
    }
}

impl From<PostPdf> for pb::Pdf {
    fn from(pdf: PostPdf) -> Self {
        Self { name: pdf.name, size: pdf.size }
    }
}

impl From<LinkPreview> for pb::LinkPreview {
    fn from(preview: LinkPreview) -> Self {
        Self {
            host: preview.host(),
            url: preview.url,
            title: preview.title,
            description: preview.description,
            site: preview.site,
            image: preview.picture.map(|picture| pb::LinkPreviewImage {
                url: pictures::url(&picture.hash),
                width: picture.width,
                height: picture.height,
            }),
        }
    }
}

impl From<PreviewState> for pb::GetLinkPreviewResponse {
    fn from(state: PreviewState) -> Self {
        let (state, preview) = match state {
            PreviewState::Pending => (pb::LinkPreviewState::Pending, None),
            PreviewState::Ready(preview) => (pb::LinkPreviewState::Ready, Some(preview.into())),
            PreviewState::None => (pb::LinkPreviewState::None, None),
        };
        Self { state: state.into(), preview }
    }
}

impl From<UploadedPicture> for pb::UploadPictureResponse {
    fn from(picture: UploadedPicture) -> Self {
        let (picture_id, url) = (picture.id.to_string(), pictures::url(&picture.hash));
        Self { picture_id, url, width: picture.width, height: picture.height }
    }
}

impl From<Repost> for pb::Repost {
    fn from(repost: Repost) -> Self {
        let Repost::Of(original) = repost else { return Self::default() };
        Self {
            post_id: Some(original.id.to_string()),
            author_id: Some(original.author_id.to_string()),
            content: Some(original.content),
            title: original.title,
            image_url: original.pictures.first().map(|picture| picture.url.clone()),
            picture: original.pictures.first().cloned().map(Into::into),
            pictures: original.pictures.into_iter().map(Into::into).collect(),
            pdf: original.pdf.map(Into::into),
            link_preview: original.link_preview.map(Into::into),
            video_url: original.video_url,
            created_at: Some(timestamp(original.created_at)),
            edited_at: original.edited_at.map(timestamp),
            mentioned_ids: Vec::new(),
        }
    }
}

impl From<Community> for pb::Community {
    fn from(community: Community) -> Self {
        Self { id: community.id.to_string(), name: community.name }
    }
}

impl From<ItemKind> for pb::SavedKind {
    fn from(kind: ItemKind) -> Self {
        match kind {
            ItemKind::Post => Self::Post,
            ItemKind::Job => Self::Job,
            ItemKind::Article => Self::Article,
            ItemKind::Resource => Self::Resource,
            ItemKind::Event => Self::Event,
        }
    }
}

impl From<SavedItem> for pb::SavedItem {
    fn from(item: SavedItem) -> Self {
        let kind = pb::SavedKind::from(item.kind).into();
        Self { kind, id: item.id, saved_at: Some(timestamp(item.saved_at)) }
    }
}

impl From<Activity> for pb::Activity {
    fn from(activity: Activity) -> Self {
        let kind = match activity.kind {
            ActivityKind::Posted => pb::activity::Action::Posted(true),
            ActivityKind::Commented(comment) => pb::activity::Action::Commented(comment.into()),
            ActivityKind::Reacted(kind) => pb::activity::Action::Reacted(pb::ReactionKind::from(kind).into()),
        };
        Self {
            at: Some(timestamp(activity.at)),
            post_id: activity.post_id.to_string(),
            post_author_id: activity.post_author_id.to_string(),
            post_excerpt: without_cut_token(&activity.post_excerpt).to_owned(),
            action: Some(kind),
        }
    }
}

fn timestamp(at: DateTime<Utc>) -> Timestamp {
    // Less than 10^9, so it always fits.
    Timestamp { seconds: at.timestamp(), nanos: at.timestamp_subsec_nanos().try_into().unwrap_or(0) }
}
