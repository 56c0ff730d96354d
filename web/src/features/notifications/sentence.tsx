// The sentence of a notification, with the names in bold.
import type { Notification } from '@/api/schema.gen';
import { useTranslation } from '@/i18n/use-translation';
import { edge, sentence } from './sentence-text';

/** Needs the texts of `notifications`, like everything here. */
export function Sentence({ of: notification }: { of: Notification }) {
  const { t, i18n } = useTranslation('notifications');
  // A sentence has at most two names.
  const [start, first, between, second, end] = sentence(t, i18n.language, notification).split(edge);
  return (
    <>
      {start}
      {first && (
        <b dir="auto" className="font-semibold">
          {first}
        </b>
      )}
      {between}
      {second && (
        <b dir="auto" className="font-semibold">
          {second}
        </b>
      )}
      {end}
    </>
  );
}
