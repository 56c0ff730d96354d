//! The domain as the contract tells it.

use chrono::{DateTime, Utc};
use portia_proto::feed as proto;
use prost_types::Timestamp;

use crate::{
    activity::{Activity, Deed},
    comments::Comment,
    pictures::{self, Kept, Shown},
    posts::{Community, Post},
    reactions::{Kind, Reaction},
    reposts::Repost,
    saved,
};

impl From<Kind> for proto::ReactionKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Like => Self::Like,
            Kind::Celebrate => Self::Celebrate,
            Kind::Support => Self::Support,
            Kind::Insightful => Self::Insightful,
            Kind::Thanks => Self::Thanks,
        }
    }
}

impl From<Reaction> for proto::Reaction {
    fn from(reaction: Reaction) -> Self {
        Self { member_id: reaction.member_id.to_string(), kind: proto::ReactionKind::from(reaction.kind).into() }
    }
}

impl From<Comment> for proto::Comment {
    fn from(comment: Comment) -> Self {
        Self {
            id: comment.id.to_string(),
            post_id: comment.post_id.to_string(),
            author_id: comment.author_id.to_string(),
            content: comment.content,
            created_at: Some(timestamp(comment.created_at)),
            edited_at: comment.edited_at.map(timestamp),
        }
    }
}

impl From<Post> for proto::Post {
    fn from(post: Post) -> Self {
        Self {
            id: post.id.to_string(),
            author_id: post.author_id.to_string(),
            content: post.content,
            title: post.title,
            image_url: post.picture.as_ref().map(|picture| picture.address.clone()),
            picture: post.picture.map(Into::into),
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
        }
    }
}

impl From<Shown> for proto::Picture {
    fn from(picture: Shown) -> Self {
        Self { alt: picture.alt, width: picture.width, height: picture.height }
    }
}

impl From<Kept> for proto::UploadPictureResponse {
    fn from(picture: Kept) -> Self {
        let (picture_id, url) = (picture.id.to_string(), pictures::address(&picture.hash));
        Self { picture_id, url, width: picture.width, height: picture.height }
    }
}

impl From<Repost> for proto::Repost {
    fn from(repost: Repost) -> Self {
        let Repost::Of(original) = repost else { return Self::default() };
        Self {
            post_id: Some(original.id.to_string()),
            author_id: Some(original.author_id.to_string()),
            content: Some(original.content),
            title: original.title,
            image_url: original.picture.as_ref().map(|picture| picture.address.clone()),
            picture: original.picture.map(Into::into),
            video_url: original.video_url,
            created_at: Some(timestamp(original.created_at)),
            edited_at: original.edited_at.map(timestamp),
        }
    }
}

impl From<Community> for proto::Community {
    fn from(community: Community) -> Self {
        Self { id: community.id.to_string(), name: community.name }
    }
}

impl From<saved::Kind> for proto::SavedKind {
    fn from(kind: saved::Kind) -> Self {
        match kind {
            saved::Kind::Post => Self::Post,
            saved::Kind::Job => Self::Job,
            saved::Kind::Article => Self::Article,
            saved::Kind::Resource => Self::Resource,
            saved::Kind::Event => Self::Event,
        }
    }
}

impl From<saved::Item> for proto::SavedItem {
    fn from(item: saved::Item) -> Self {
        let kind = proto::SavedKind::from(item.kind).into();
        Self { kind, id: item.id, saved_at: Some(timestamp(item.saved_at)) }
    }
}

impl From<Activity> for proto::Activity {
    fn from(activity: Activity) -> Self {
        let deed = match activity.deed {
            Deed::Posted => proto::activity::Deed::Posted(true),
            Deed::Commented(comment) => proto::activity::Deed::Commented(comment.into()),
            Deed::Reacted(kind) => proto::activity::Deed::Reacted(proto::ReactionKind::from(kind).into()),
        };
        Self {
            at: Some(timestamp(activity.at)),
            post_id: activity.post_id.to_string(),
            post_author_id: activity.post_author_id.to_string(),
            post_excerpt: activity.post_excerpt,
            deed: Some(deed),
        }
    }
}

fn timestamp(at: DateTime<Utc>) -> Timestamp {
    // Below 10^9, so it always fits.
    Timestamp { seconds: at.timestamp(), nanos: at.timestamp_subsec_nanos().try_into().unwrap_or(0) }
}
