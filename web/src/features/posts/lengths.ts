// Maximum lengths of member texts, in characters.
import { limits } from '@/api/limits.gen';

const { content, title, pictureAlt, videoUrl } = limits.CreatePost;

export const longest = {
  post: content.maxWithoutTitle,
  article: content.max,
  title: title.max,
  alt: pictureAlt.max,
  altOfSeveral: limits.NewPicture.alt.max,
  video: videoUrl.max,
  comment: limits.CreateComment.content.max,
};
