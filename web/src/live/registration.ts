// Registers with the gateway what the tabs of this browser show, so that the stream contains changes of it.
import { api, read } from '@/api/client';
import { ApiError } from '@/api/error';
import type { PostVersion } from './events';
import type { Topic } from './interests';

/** Screens mount their posts in slices: milliseconds in which changes are collected. */
const collected = 150;
/** The delay after a failure in milliseconds: the minimum, and the range of the jitter. */
const retryAfter = 2_000;
const jitterRange = 3_000;
/** The gateway accepts so many ids. */
const most = 100;

export interface Registration {
  /** A stream was opened, which watches nothing yet. */
  open: (streamId: string) => void;
  /** Sets the topics that all tabs show; the last is the most important. */
  set: (topics: Topic[]) => void;
  close: () => void;
}

/** `onVersions` receives the state of posts that are new to the stream: the client may have an older one. */
export function createRegistration(onVersions: (posts: PostVersion[]) => void): Registration {
  let stream: string | null = null;
  let wanted: Topic[] = [];
  let known = '';
  let sending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (milliseconds: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void send();
    }, milliseconds);
  };

  const send = async () => {
    const streamId = stream;
    const body = bodyOf(wanted);
    const text = JSON.stringify(body);
    if (!streamId || sending || text === known) return;
    sending = true;
    try {
      const { posts } = await read(
        api.PUT('/api/live/{streamId}/interests', { params: { path: { streamId } }, body }),
      );
      if (stream === streamId) known = text;
      if (posts.length > 0) onVersions(posts);
    } catch (error) {
      const isOver = error instanceof ApiError && error.status < 500 && error.status !== 429;
      // The stream has ended: the next one begins with hello. Or the session has.
      if (isOver && stream === streamId) stream = null;
      else later(retryAfter + Math.random() * jitterRange);
    } finally {
      sending = false;
    }
    // The topics may have changed meanwhile.
    if (stream && JSON.stringify(bodyOf(wanted)) !== known) later(collected);
  };

  return {
    open: (streamId) => {
      stream = streamId;
      known = '';
      later(0);
    },
    set: (topics) => {
      wanted = topics;
      later(collected);
    },
    close: () => {
      stream = null;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

function bodyOf(topics: Topic[]) {
  const ids = topics.filter((topic) => topic !== 'feed').slice(-most);
  const of = (kind: string) =>
    ids.filter((topic) => topic.startsWith(`${kind} `)).map((topic) => topic.slice(kind.length + 1));
  return {
    posts: of('post'),
    members: of('member'),
    communities: of('community'),
    events: of('event'),
    feed: topics.includes('feed'),
  };
}
