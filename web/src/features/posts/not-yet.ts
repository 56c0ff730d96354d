// Says honestly that a control has nothing behind it yet.
import { toast } from '@/ui/toast';

export function sayNotYet(t: (key: 'notYet' | 'notYetText') => string): void {
  toast({ title: t('notYet'), description: t('notYetText'), variant: 'info' });
}
