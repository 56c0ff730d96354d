-- The tables of the bare server: the rows of Portia that its answers need, with the indexes that its statements need.

create schema bare;

create table bare.members as
    select id, full_name, headline, location, school, bio, avatar_url, connection_count, created_at
    from profile.members;
alter table bare.members add primary key (id);
create index members_name_idx
    on bare.members using gin ((full_name || ' ' || coalesce(headline, '')) ext.gin_trgm_ops);

create table bare.posts as
    select id, author_id, content, like_count, comment_count, created_at
    from feed.posts
    where community_id is null
    order by created_at;
alter table bare.posts add primary key (id);
create index posts_recent_idx on bare.posts (created_at desc, id desc);
create index posts_author_idx on bare.posts (author_id, created_at desc, id desc);

create table bare.comments as
    select c.id, c.post_id, c.author_id, c.content, c.created_at
    from feed.comments c
    join bare.posts p on p.id = c.post_id
    order by c.created_at;
alter table bare.comments add primary key (id);
create index comments_post_idx on bare.comments (post_id, created_at desc, id desc);

create table bare.likes as
    select r.post_id, r.member_id, r.kind, r.created_at
    from feed.reactions r
    join bare.posts p on p.id = r.post_id;
alter table bare.likes add primary key (post_id, member_id);

create table bare.connections as
    select requester_id as member_id, recipient_id as other_id
    from social_graph.connections
    where status = 'accepted'
    union all
    select recipient_id, requester_id
    from social_graph.connections
    where status = 'accepted';
alter table bare.connections add primary key (member_id, other_id);

create table bare.participants as
    select conversation_id, member_id, unread_count
    from messaging.participants;
create index participants_member_idx on bare.participants (member_id);
