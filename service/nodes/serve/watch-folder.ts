import { watch } from 'node:fs';

/** Time without a further change after which a change counts as complete: editors write a file in several steps. */
const quietMs = 100;

/**
 * Calls `onChange` after files of a folder tree have changed, one call at a time; changes during a call lead to another one.
 * Hidden files, `node_modules` and `__pycache__` do not count.
 *
 * @param onChange must not reject
 * @returns ends the watch
 */
export function watchFolder(folder: string, onChange: () => Promise<void>): () => void {
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
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name !== null && isIgnored(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), quietMs);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

function isIgnored(name: string): boolean {
  return name
    .split(/[\\/]/)
    .some((part) => part.startsWith('.') || part === 'node_modules' || part === '__pycache__');
}
