import { setImmediate as othersFirst } from 'node:timers/promises';

/** How long linking may keep the event loop to itself, milliseconds: requests of others wait that long at most. */
const turnMs = 10;

/** Gives a function to await between pieces of long work: it lets other work go first whenever a turn is over. */
export function takeTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < turnMs) return;
    await othersFirst();
    began = performance.now();
  };
}
