/** Longest path that common file systems accept beneath a folder to unpack into. */
const longestPath = 200;

/** Characters that some file system rejects or interprets. */
const hostileCharacter = /[\\:*?"<>|]|[^\x20-\x7e]/;
const deviceName = /^(aux|com\d|con|lpt\d|nul|prn)(\.|$)/i;

/**
 * Checks that an archive unpacks the same on every system, and only into its own folder. Languages make paths from
 * planned names, so an invalid path is a bug in a language.
 * @throws Error that names the path.
 */
export function checkPaths(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const why = whyNot(path);
    if (why !== undefined) throw new Error(`archive path ${JSON.stringify(path)} ${why}`);
    const twin = seen.get(path.toLowerCase());
    if (twin === path) throw new Error(`archive path ${path} occurs twice`);
    if (twin !== undefined) throw new Error(`archive paths ${twin} and ${path} differ by case only`);
    seen.set(path.toLowerCase(), path);
  }
  const folders = new Set<string>();
  for (const path of paths) {
    let folder = folderOf(path);
    // The parents of a known folder are known.
    while (folder !== '' && !folders.has(folder)) {
      folders.add(folder);
      const file = seen.get(folder.toLowerCase());
      if (file !== undefined) throw new Error(`archive path ${file} is a file and a folder of ${path}`);
      folder = folderOf(folder);
    }
  }
}

function whyNot(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > longestPath) return `is longer than ${longestPath} characters`;
  if (hostileCharacter.test(path)) return 'holds a character that not every file system takes';
  for (const part of path.split('/')) {
    if (part === '' || part === '.' || part === '..') return 'does not lead to a file inside the archive';
    if (/[. ]$/.test(part)) return 'has a part that ends in a dot or a space';
    if (deviceName.test(part)) return 'has a part that is a device on Windows';
  }
  return undefined;
}

/** Returns the folder of a path; empty for a path without one. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
