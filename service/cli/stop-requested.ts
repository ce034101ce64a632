/** Resolves with the first SIGTERM or SIGINT. A second one ends the process immediately. */
export function stopRequested(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
      resolve(signal);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}
