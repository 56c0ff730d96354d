// The toast area: at the top on small screens, at the bottom right on larger ones.
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useTranslation } from '@/i18n/use-translation';
import { buttonClass } from './button';
import { dismissToast, toastDuration, toastHotkey, toastSwipeThreshold, useToast } from './toast';

const icons = {
  success: <CircleCheck className="icon mt-px text-success-text" />,
  info: <Info className="icon mt-px" />,
  destructive: <CircleAlert className="icon mt-px" />,
};

export function Toaster() {
  const { t } = useTranslation('shell');
  const message = useToast();
  const variant = message?.variant ?? 'info';
  const loud = variant === 'destructive';
  return (
    // The key: with an old provider, the toast after a hovered or F8-focused one never closes.
    <Radix.Provider
      key={message?.id}
      duration={toastDuration}
      swipeDirection="right"
      swipeThreshold={toastSwipeThreshold}
      label={t('notifications.title')}
    >
      {message && (
        <Radix.Root
          open={message.open}
          // Its time may end after the next toast was shown and before this one is gone.
          onOpenChange={(open) => !open && dismissToast(message.id)}
          type={loud ? 'foreground' : 'background'}
          className={`animate-toast flex items-start gap-3 rounded-lg border p-4 shadow-popover ${loud ? 'border-transparent bg-destructive text-destructive-foreground' : 'bg-popover'}`}
        >
          {icons[variant]}
          <div className="min-w-0 flex-1 wrap-anywhere">
            <Radix.Title className="text-ui font-semibold">{message.title}</Radix.Title>
            {message.description && (
              <Radix.Description className={`text-ui ${loud ? '' : 'text-muted-foreground'}`}>
                {message.description}
              </Radix.Description>
            )}
            {message.action && (
              // F8 and then Tab reach it; the alternative is the same button again.
              <Radix.Action
                altText={`${message.action.label} (F8)`}
                className={buttonClass({ variant: 'outline', size: 'sm', className: 'mt-2.5' })}
                onClick={message.action.onClick}
              >
                {message.action.label}
              </Radix.Action>
            )}
          </div>
          <Radix.Close aria-label={t('close')} className="-m-1 cursor-pointer rounded-xs p-1">
            <X className="icon-sm" />
          </Radix.Close>
        </Radix.Root>
      )}
      <Radix.Viewport
        hotkey={[toastHotkey]}
        label={t('notifications.area')}
        className="toast-area fixed z-(--z-toast) outline-none"
      />
    </Radix.Provider>
  );
}
