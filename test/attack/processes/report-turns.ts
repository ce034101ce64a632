import { isMainThread } from 'node:worker_threads';
import { type TurnWatch, watchTurns } from '../../support/turn-watch.ts';

/**
 * Loaded into a service with `--import`. On each message of the parent process, it reports the longest turn of the main thread since
 * the previous message, in milliseconds of processor time. The first message starts the watch, which takes up to a tenth of a
 * processor; without it, the service can come to rest. When the parent ends, the service and the programs that it runs, which are a
 * process group, are killed.
 */
if (isMainThread && process.send !== undefined) {
  let watch: TurnWatch | undefined;
  process.on('message', () => {
    process.send?.(watch?.stop() ?? 0);
    watch = watchTurns();
  });
  process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
  process.channel?.unref();
}
