// A member's round picture: initials first, the photo fades in over them.
import { useState } from 'react';
export type AvatarSize = 24 | 28 | 32 | 36 | 40 | 44 | 52 | 64 | 72 | 96 | 136;

/** What people write beside their names, in the order in which it is removed; the group stays. */
const remarks = [
  // In brackets at the end, behind a letter.
  /^(.*?\p{L}[^([<（]*)(?:[([<（][^)\]>）]*.\P{L}*)+$/u,
  // Behind a sign that follows two words.
  /^(\S*\p{L}\S*\s+\S*\p{L}.*?)(?:[,;|·•]|\s[-–—]\s).*$/u,
  // `she / her`.
  /^(.*?)\s(?:\p{Ll}+|S?he|They)\s*\/.*$/u,
  /^()(?:(?:atty|dr|engr|hon|mrs?|ms|prof)\.?\s+)+/i,
  /^(.*\s\S+)\s+(?:jr|sr|esq|jd|i{2,3}|iv)\.?$/i,
];
/** Letters, without the modifiers that look like quotes. */
const letter = '\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lo}';
/** The first letter of a word that begins with one. */
const ofName = new RegExp(`^[^${letter}\\p{N}]*([${letter}])`, 'u');
const ofAny = new RegExp(`([${letter}\\p{N}])`, 'u');

/** The first letters of the first and last word of the name that begin with one; U without a name. */
export function initials(fullName: string | null | undefined): string {
  const name = remarks.reduce((rest, remark) => rest.replace(remark, '$1'), (fullName ?? '').trim());
  const begins = (pattern: RegExp) => name.split(/\s+/u).flatMap((word) => pattern.exec(word)?.[1] ?? []);
  const names = begins(ofName);
  const [first = 'U', ...others] = names[0] ? names : begins(ofAny);
  // A letter such as \u00df has two capitals.
  return [first, ...others.slice(-1)].map((one) => [...one.toLocaleUpperCase()][0]).join('');
}

/** The same colour for a member everywhere: char codes of the id summed, modulo the eight colours. */
export function avatarColor(userId: string): string {
  let sum = 0;
  for (let at = 0; at < userId.length; at++) sum += userId.charCodeAt(at);
  return `var(--avatar-${(sum % 8) + 1})`;
}

interface AvatarProps {
  /** A former member has no id. */
  user: { id: string | null; fullName: string; avatarUrl?: string | null };
  size: AvatarSize;
  /** The name is next to the picture, so a screen reader skips the picture. */
  decorative?: boolean;
  className?: string;
}

export function Avatar({ user, size, decorative, className = '' }: AvatarProps) {
  const name = user.fullName.trim();
  const label = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name || 'U' };
  return (
    <span
      {...label}
      className={`relative inline-flex shrink-0 select-none items-center justify-center overflow-hidden rounded-full font-semibold tracking-[0.01em] text-(--avatar-foreground) ${className}`}
      style={{
        width: size,
        height: size,
        fontSize: Math.round(size * 0.37),
        background: avatarColor(user.id ?? ''),
      }}
    >
      {initials(name)}
      {user.avatarUrl && <Photo key={user.avatarUrl} src={user.avatarUrl} size={size} />}
    </span>
  );
}

function Photo({ src, size }: { src: string; size: number }) {
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading');
  if (state === 'broken') return null;
  return (
    <img
      src={src}
      alt=""
      width={size}
      height={size}
      decoding="async"
      onLoad={() => setState('shown')}
      onError={() => setState('broken')}
      className={`absolute inset-0 size-full object-cover transition-opacity duration-(--duration-fast) ${state === 'shown' ? '' : 'opacity-0'}`}
    />
  );
}
