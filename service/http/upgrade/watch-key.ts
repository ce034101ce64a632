import { type ClientSocket, closeCodes } from './client-socket.ts';

/** How often the key of an open socket is checked. */
export interface KeyCheck {
  /** Rejects if the key cannot be checked at the moment. */
  isValid: () => Promise<boolean>;
  /** Milliseconds. */
  intervalMs: number;
}

/** Closes a socket once its key is no longer valid. */
export function watchKey(
  socket: Pick<ClientSocket<never>, 'close' | 'closed'>,
  { isValid, intervalMs }: KeyCheck,
): void {
  const check = async (): Promise<void> => {
    // Without the database, the validity of the key is unknown.
    const valid = await isValid().catch(() => true);
    if (!valid) socket.close(closeCodes.policyViolation, 'the key is no longer valid');
  };
  const timer = setInterval(() => void check(), intervalMs).unref();
  socket.closed.addEventListener('abort', () => clearInterval(timer), { once: true });
  if (socket.closed.aborted) clearInterval(timer);
}
