import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

/** How long synchronous work may block the event loop, in milliseconds. */
const maxBlockMs = 10;

/** Returns a function to await between pieces of long synchronous work. It yields to the event loop at most every 10 ms. */
export function periodicYield(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < maxBlockMs) return;
    await nextEventLoopTurn();
    began = performance.now();
  };
}

/** Runs work step by step, and yields to the event loop after each step, including the last. */
export async function inTurns<T>(
  steps: Generator<undefined, T>,
  yieldIfDue: () => Promise<void> | undefined,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    await yieldIfDue();
    if (step.done === true) return step.value;
  }
}
