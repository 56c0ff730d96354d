// The types of all texts: a key that is missing in English does not compile. One line per feature file.
import type about from '../locales/en/about.json';
import type account from '../locales/en/account.json';
import type auth from '../locales/en/auth.json';
import type brand from '../locales/en/brand.json';
import type commands from '../locales/en/commands.json';
import type communities from '../locales/en/communities.json';
import type cookies from '../locales/en/cookies.json';
import type copyright from '../locales/en/copyright.json';
import type emoji from '../locales/en/emoji.json';
import type events from '../locales/en/events.json';
import type feeds from '../locales/en/feeds.json';
import type files from '../locales/en/files.json';
import type focus from '../locales/en/focus.json';
import type forms from '../locales/en/forms.json';
import type home from '../locales/en/home.json';
import type jobs from '../locales/en/jobs.json';
import type landing from '../locales/en/landing.json';
import type manage from '../locales/en/manage.json';
import type mark from '../locales/en/mark.json';
import type member from '../locales/en/member.json';
import type messages from '../locales/en/messages.json';
import type meta from '../locales/en/meta.json';
import type moderation from '../locales/en/moderation.json';
import type network from '../locales/en/network.json';
import type news from '../locales/en/news.json';
import type notifications from '../locales/en/notifications.json';
import type pages from '../locales/en/pages.json';
import type passkeys from '../locales/en/passkeys.json';
import type posts from '../locales/en/posts.json';
import type privacy from '../locales/en/privacy.json';
import type profile from '../locales/en/profile.json';
import type push from '../locales/en/push.json';
import type reports from '../locales/en/reports.json';
import type resources from '../locales/en/resources.json';
import type saved from '../locales/en/saved.json';
import type search from '../locales/en/search.json';
import type settings from '../locales/en/settings.json';
import type shell from '../locales/en/shell.json';
import type status from '../locales/en/status.json';
import type terms from '../locales/en/terms.json';
import type topics from '../locales/en/topics.json';
import type unsaved from '../locales/en/unsaved.json';
import type unsent from '../locales/en/unsent.json';
import type verification from '../locales/en/verification.json';
import type welcome from '../locales/en/welcome.json';

/** Text pages are read as data: typed keys for them exceed the limits of the compiler. */
type Document<Whole extends { title: string; lead: string }> = Pick<Whole, 'title' | 'lead'>;

export interface Texts {
  about: Document<typeof about>;
  account: typeof account;
  auth: typeof auth;
  brand: typeof brand;
  commands: typeof commands;
  communities: typeof communities;
  cookies: Document<typeof cookies>;
  copyright: Document<typeof copyright>;
  emoji: typeof emoji;
  events: typeof events;
  feeds: typeof feeds;
  files: typeof files;
  focus: typeof focus;
  forms: typeof forms;
  home: typeof home;
  jobs: typeof jobs;
  landing: typeof landing;
  manage: typeof manage;
  mark: typeof mark;
  member: typeof member;
  messages: typeof messages;
  meta: typeof meta;
  moderation: typeof moderation;
  verification: typeof verification;
  network: typeof network;
  news: typeof news;
  notifications: typeof notifications;
  pages: typeof pages;
  posts: typeof posts;
  privacy: Document<typeof privacy>;
  profile: typeof profile;
  push: typeof push;
  reports: typeof reports;
  resources: typeof resources;
  saved: typeof saved;
  search: typeof search;
  passkeys: typeof passkeys;
  settings: typeof settings;
  shell: typeof shell;
  status: typeof status;
  terms: Document<typeof terms>;
  topics: typeof topics;
  unsaved: typeof unsaved;
  unsent: typeof unsent;
  welcome: typeof welcome;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: Texts;
    returnNull: false;
  }
}
