import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import path from 'node:path';

/** How far builds step back, on the scale of `nice`: where both want a processor, the rest of the service gets twice as much. */
const niceness = 3;
const last = constants.priority.PRIORITY_LOW;

/**
 * Lets the other threads of this process go first where processors are scarce, so that calls hardly notice a build. On Linux, where
 * a priority is a thread's own; elsewhere, or where it is forbidden, all threads stay equal.
 */
export function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    // `<process id>/task/<thread id>`
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(last, getPriority(thread) + niceness));
  } catch {
    // Without /proc, or under a policy that refuses it.
  }
}
