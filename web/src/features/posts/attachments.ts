// The attachments of a post, in the order of the composer's buttons.
import { Calendar, FileText, Image, type LucideIcon, Paperclip, Video } from 'lucide-react';

export const attachments = [
  ['photo', Image],
  ['video', Video],
  ['event', Calendar],
  ['article', FileText],
] as const satisfies readonly (readonly [string, LucideIcon])[];

export type AttachmentKind = (typeof attachments)[number][0];

/** In the dialog there is space for one more. */
export const dialogAttachments = [...attachments, ['pdf', Paperclip]] as const satisfies readonly (readonly [
  string,
  LucideIcon,
])[];

export type DialogAttachment = (typeof dialogAttachments)[number][0];
