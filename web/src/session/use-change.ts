// A member's changes on the server, and the screen's messages about them.
import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { showError, type ToastMessage, toast } from '@/ui/toast';

interface Change<Answer, Input, Before> extends UseMutationOptions<Answer, Error, Input, Before> {
  /** The toast after success, before `onSuccess` runs. */
  done?: (answer: Answer, input: Input) => ToastMessage | null;
  /** The toast after a failure, before `onError` runs: a text alone has the title 'Error'. */
  failed: (error: Error, input: Input) => string | ToastMessage | null;
}

/** A mutation that reports its outcome. The caller adds other effects in the options of react-query. */
export function useChange<Answer, Input = void, Before = unknown>({
  done,
  failed,
  ...options
}: Change<Answer, Input, Before>): UseMutationResult<Answer, Error, Input, Before> {
  return useMutation({
    ...options,
    onSuccess: (answer, input, ...rest) => {
      const message = done?.(answer, input);
      if (message) toast({ variant: 'success', ...message });
      return options.onSuccess?.(answer, input, ...rest);
    },
    onError: (error, input, ...rest) => {
      const message = failed(error, input);
      if (typeof message === 'string') showError(message);
      else if (message) toast({ variant: 'destructive', ...message });
      return options.onError?.(error, input, ...rest);
    },
  });
}
