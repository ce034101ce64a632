/** Watches how long this thread works from one turn of the event loop to the next. */
interface TurnWatch {
  /** Ends it. Gives the longest turn, in milliseconds of this thread's processor time. */
  stop(): number;
}

/** Begins with this turn. What others take of the machine does not count, as it would by a clock. */
export function watchTurns(): TurnWatch {
  let seenAt = cpuMs();
  let longestMs = 0;
  const look = (): void => {
    const now = cpuMs();
    longestMs = Math.max(longestMs, now - seenAt);
    seenAt = now;
  };
  const timer = setInterval(look, 1);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return longestMs;
    },
  };
}

/** How long this thread has worked so far, milliseconds of its processor time. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
