// The tabs of the Edit Profile dialog; the icon on each card opens its tab.

export const editTabs = ['basic', 'experience', 'education', 'skills'] as const;

export type EditTab = (typeof editTabs)[number];
