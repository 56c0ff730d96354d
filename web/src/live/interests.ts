// The topics that this tab shows, for the gateway: the stream contains changes of these only.
import { useEffect } from 'react';

/** `feed` is the list of public posts; `community <id>` includes the list of its posts. */
export type Topic = 'feed' | `${'post' | 'member' | 'community' | 'event'} ${string}`;

/** The number of components that show each topic; the last shown topic is last. */
const shown = new Map<Topic, number>();
const listeners = new Set<() => void>();

const changed = () => {
  for (const listener of listeners) listener();
};

/** Returns the topics that this tab shows, in the order in which they appeared. */
export const shownTopics = (): Topic[] => [...shown.keys()];

/** Calls `onChange` after each change of the shown topics, until the returned function is called. */
export function onShownTopics(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => {
    listeners.delete(onChange);
  };
}

function show(topic: Topic): () => void {
  const count = shown.get(topic) ?? 0;
  shown.set(topic, count + 1);
  if (count === 0) changed();
  return () => {
    const left = (shown.get(topic) ?? 1) - 1;
    if (left > 0) {
      shown.set(topic, left);
      return;
    }
    shown.delete(topic);
    changed();
  };
}

/** Receives the live events of this topic while the component is mounted; null for none. */
export function useLiveTopic(topic: Topic | null): void {
  useEffect(() => (topic ? show(topic) : undefined), [topic]);
}
