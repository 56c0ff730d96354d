// The form in which texts are compared.

/** Lower case without accents, as the server folds words. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
