// The question before a sign-out that would lose something unsent; the layout shows it.
import { createQuestion } from './question';

export const signOutQuestion = createQuestion<'leave' | 'stay'>();
