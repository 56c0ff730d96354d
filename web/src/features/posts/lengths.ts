// Maximum lengths of member texts, in characters.

export const longest = { post: 5_000, article: 40_000, title: 200, alt: 1_000, comment: 2_000 };
