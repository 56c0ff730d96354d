-- no-transaction
-- The gateway asks whether a viewer may see a picture, also that of a link preview: see src/pictures.rs.
create index concurrently link_previews_pictures_idx on feed.link_previews using gin (pictures);
