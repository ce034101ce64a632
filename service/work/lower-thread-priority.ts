import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import path from 'node:path';

/** Added to the thread's `nice` value. At 3, the other threads get about twice the processor time under contention. */
const niceness = 3;
const lowest = constants.priority.PRIORITY_LOW;

/**
 * Lowers the priority of the current thread, so that builds barely slow down requests. Works on Linux, where each thread has its
 * own priority. On other systems, or without permission, it does nothing.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // `<process id>/task/<thread id>`
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(lowest, getPriority(thread) + niceness));
  } catch {
    // No /proc, or no permission.
  }
}
