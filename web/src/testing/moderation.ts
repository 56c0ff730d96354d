// Reports, appeals and numbers of the moderation screen.
import type {
  ModeratedAppeal,
  ModeratedReport,
  ModerationStats,
  Removal,
  ReportDetails,
  SuspensionAppeal,
} from '@/api/schema.gen';
import type { Me } from '@/api/session';
import { marco } from './notifications';
import { priya } from './posts';
import { isabel } from './server';

export const moderator: Me = { ...isabel, moderator: true };

export function reportOf(changes: Partial<ModeratedReport> = {}): ModeratedReport {
  return {
    id: '019a0000-0000-7000-8000-0000000000f1',
    kind: 'post',
    itemId: '019a0000-0000-7000-8000-0000000000f2',
    subject: priya,
    excerpt: 'Buy my essays',
    reason: 'spam',
    createdAt: '2026-11-20T08:00:00Z',
    reportCount: 1,
    outcome: null,
    decidedAt: null,
    decisionReason: null,
    decidedBy: null,
    note: null,
    decidable: true,
    ...changes,
  };
}

export function detailsOf(report: ModeratedReport): ReportDetails {
  return {
    report,
    statements: [
      {
        reporter: marco,
        reason: 'spam',
        words: 'It sells essays.',
        createdAt: report.createdAt,
        removed: 3,
        dismissed: 1,
      },
    ],
    current: {
      content: 'Buy my outlines',
      title: null,
      createdAt: report.createdAt,
      editedAt: null,
      postId: report.itemId,
      postExcerpt: null,
      communityId: null,
      communityName: null,
    },
    pictures: [],
    file: null,
    standing: {
      userId: priya.id ?? '',
      username: 'priya',
      suspendedAt: null,
      moderator: false,
      decidable: true,
    },
    subjectRemoved: 2,
    subjectDismissed: 0,
  };
}

export function removalOf(changes: Partial<Removal> = {}): Removal {
  return {
    id: '019a0000-0000-7000-8000-0000000000f3',
    kind: 'post',
    itemId: '019a0000-0000-7000-8000-0000000000f2',
    excerpt: 'Buy my essays',
    reason: 'spam',
    removedAt: '2026-11-20T08:00:00Z',
    appealUntil: '2999-12-20T08:00:00Z',
    appeal: null,
    appealedAt: null,
    appealOutcome: null,
    appealReason: null,
    appealDecidedAt: null,
    restored: false,
    restorable: true,
    ...changes,
  };
}

export function appealOf(changes: Partial<ModeratedAppeal> = {}): ModeratedAppeal {
  return {
    ...removalOf({ appeal: 'It was a joke.', appealedAt: '2026-11-21T08:00:00Z' }),
    author: priya,
    removedBy: marco,
    appealDecidedBy: null,
    appealNote: null,
    decidable: true,
    ...changes,
  };
}

export function suspensionAppealOf(changes: Partial<SuspensionAppeal> = {}): SuspensionAppeal {
  return {
    id: '019a0000-0000-7000-8000-0000000000f4',
    userId: priya.id ?? '',
    username: 'priya',
    suspendedAt: '2026-11-20T08:00:00Z',
    suspendedBy: 'noa',
    reason: 'spam',
    note: 'Sells essays.',
    appeal: 'They were my own notes.',
    appealedAt: '2026-11-21T08:00:00Z',
    appealOutcome: null,
    appealReason: null,
    appealNote: null,
    appealDecidedBy: null,
    appealDecidedAt: null,
    decidable: true,
    ...changes,
  };
}

export const stats: ModerationStats = {
  open: 4,
  oldestOpenAt: '2026-11-20T08:00:00Z',
  days: [
    { day: '2026-11-19', removed: 0, dismissed: 0 },
    { day: '2026-11-20', removed: 2, dismissed: 1 },
  ],
  medianSeconds: 7_200,
  reasons: [{ reason: 'spam', removed: 2, dismissed: 1 }],
  openAppeals: 1,
  appealsUpheld: 5,
  appealsOverturned: 6,
};
