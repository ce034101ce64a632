import { watch } from 'chokidar';
import { once } from 'node:events';
import path from 'node:path';

/**
 * Time without further changes after which a change counts as complete, in milliseconds: editors write a file
 * in several steps.
 */
const quietMs = 100;

/**
 * Calls `onChange` after files of a folder tree have changed, one call at a time. Changes during a call cause
 * another one. Hidden files, `node_modules` and `__pycache__` are ignored.
 *
 * @param onChange must not reject
 * @returns resolves once every later change will be detected, with a function that ends the watch
 */
export async function watchFolder(
  folder: string,
  onChange: () => Promise<void>,
): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isDue = false;
  const run = async (): Promise<void> => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      await onChange();
    }
    isRunning = false;
  };
  const watcher = watch(folder, {
    ignoreInitial: true,
    ignored: (file) => isIgnored(path.relative(folder, file)),
  });
  await once(watcher, 'ready');
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), quietMs);
  });
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}

function isIgnored(name: string): boolean {
  return name
    .split(/[\\/]/)
    .some((part) => part.startsWith('.') || part === 'node_modules' || part === '__pycache__');
}
