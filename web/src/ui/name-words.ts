// The words of a member's name, without what people write beside it: titles, pronouns, degrees, remarks.

/** Pairs of signs around a remark. Quotes are none: they stand around nicknames. */
const brackets =
  /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|<[^<>]*>|‹[^‹›]*›|«[^«»]*»|(?!["“„‘‚])\p{Ps}[^\p{Ps}\p{Pe}]*\p{Pe}/u;
/** Signs between a name and a remark. */
const separator = /[,;|·•‧・，、；｜]|\s[-‐‑‒–—―~:/]+\s/u;
const title = /^(?:atty|dr|engr|mr|mrs|ms|mx|prof)\.?$|^(?:fr|hon|rev|sr)\.$/iu;
/** What follows a name. A single word before it is a name already. */
const suffix = /^(?:jr|sr|esq|esquire|jd|llb|llm|mphil|dphil|phd|sjd|jsd|cpa|mba)$/u;
/** The same behind two words; alone it may be a name. */
const numeral = /^(?:II|III|IV|V|VI)$/u;
/** `J.D.`, `LL.M.` */
const degree = /^(?:\p{L}{1,4}\.){2,}$/u;
const pronouns = new Set(
  'she her hers he him his they them theirs it its any all siya sila niya ze zir hir xe xem ella elle elles él iel'.split(
    ' ',
  ),
);

/** The words of a name, in order, with their signs. */
export function nameWords(fullName: string): string[] {
  const words = withoutRemarks(withoutBrackets(fullName))
    .split(/\s+/u)
    .flatMap((word, at, all) => ofChoice(word, at === all.length - 1));
  return withoutSuffixes(withoutTitles(words.filter((word) => hasLetter(word))));
}

function hasLetter(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** Brackets are removed from the inside out, unless a name begins with them or has nothing else. */
function withoutBrackets(name: string): string {
  let rest = name;
  for (let found = brackets.exec(rest); found; found = brackets.exec(rest)) {
    const before = rest.slice(0, found.index);
    const inside = found[0].slice(1, -1);
    rest = `${before} ${hasLetter(before) ? '' : inside} ${rest.slice(found.index + found[0].length)}`;
  }
  return rest;
}

/** Cuts a name of two words or more at a separator. */
function withoutRemarks(name: string): string {
  const together = name.replace(/(\p{L})\s*\/\s*(?=\p{L})/gu, '$1/');
  const parts = together.split(separator);
  let kept = '';
  for (const part of parts) {
    if (withoutTitles(kept.split(/\s+/u).filter(hasLetter)).length > 1) break;
    kept = `${kept} ${part}`;
  }
  return kept;
}

/** The first form of a choice such as `Ana/Annie`; nothing of `she/her`. */
function ofChoice(word: string, isLast: boolean): string[] {
  const [first = '', ...others] = word.split('/').filter(hasLetter);
  if (others.length === 0) return [word];
  const isRemark = isPronoun(first.toLowerCase()) || (isLast && !/\p{Lu}|\p{Lo}/u.test(first));
  return isRemark ? [] : [first];
}

function isPronoun(word: string): boolean {
  return pronouns.has(word);
}

function withoutTitles(words: string[]): string[] {
  const first = words.findIndex((word) => !title.test(word));
  return first > 0 ? words.slice(first) : words;
}

function withoutSuffixes(words: string[]): string[] {
  const kept = [...words];
  const spaced = /^\p{L}{1,3}\.$/u;
  // `Ph. D.` is two words.
  if (kept.length > 3 && kept.slice(-2).every((word) => spaced.test(word))) kept.splice(-2);
  while (kept.length > 1 && isSuffix(kept.at(-1) ?? '', kept.length)) kept.pop();
  return kept;
}

function isSuffix(word: string, position: number): boolean {
  const plain = word.replace(/[^\p{L}]/gu, '');
  if (suffix.test(plain.toLowerCase())) return true;
  return position > 2 && (numeral.test(plain) || degree.test(word) || isPronoun(word));
}
