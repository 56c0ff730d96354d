// The years of graduation that the server accepts.

const firstYear = 1950;

export function graduationYears(): { first: number; last: number } {
  return { first: firstYear, last: new Date().getFullYear() + 10 };
}

/** Whether a text is empty or such a year. */
export function isGraduationYear(text: string): boolean {
  const { first, last } = graduationYears();
  return text === '' || (/^\d{4}$/.test(text) && Number(text) >= first && Number(text) <= last);
}
