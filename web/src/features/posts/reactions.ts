// The five reactions in the order of the picker, with their icons.
import { Heart, HeartHandshake, Lightbulb, type LucideIcon, PartyPopper, ThumbsUp } from 'lucide-react';
import type { ReactionType } from '@/api/schema.gen';

export const reactions = [
  ['like', ThumbsUp],
  ['celebrate', PartyPopper],
  ['support', HeartHandshake],
  ['insightful', Lightbulb],
  ['thanks', Heart],
] as const satisfies readonly (readonly [ReactionType, LucideIcon])[];

export const reactionIcon = (type: ReactionType): LucideIcon =>
  reactions.find(([one]) => one === type)?.[1] ?? ThumbsUp;
