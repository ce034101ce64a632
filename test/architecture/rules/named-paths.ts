/** A text that people read, and the line of its file on which it begins. */
export interface Prose {
  /** File that it is in, from the project's root. */
  file: string;
  /** From 1. */
  line: number;
  text: string;
}

/** Documents that name paths which are gone: the history of the project, and decisions that a later one replaces. */
const historical = (file: string, text: string): boolean =>
  file === 'CHANGELOG.md' ||
  (file.startsWith('docs/decisions/') && /superseded\W+by/i.test(text.slice(0, 600)));

/** Folders that a path of the project begins with. */
const topFolders = 'service|generator|specs|templates|fixtures|test|docs|\\.ci';
/** A path from the root, as far as it is literal. */
const fromRoot = new RegExp(`(?<![\\w./@<>{}*-])(?:${topFolders})/[\\w./@<>{}*-]*`, 'g');
/** A source that is named by the end of its path: `store/tenants.ts`, `parse-adapter.ts`. */
const source = /(?<![\w./@<>{}*-])(?:[\w-]+\/)*[a-z][\w]*(?:-[\w]+)+\.(?:ts|proto)(?![\w/-])/g;
/** Target of a Markdown link. */
const link = /\]\(([^)\s]+)\)/g;
/** A fence that names the file which a reader writes with the block. */
const fileOfBlock = /^```\w+ \S/;
/** A name with a part for the reader to fill in, or a pattern. */
const placeholder = /[<>{}*]|\.\.\./;

/**
 * Finds paths of the project that prose names and that do not exist.
 *
 * @param files every file of the project, from its root
 * @returns one line for each: `<file>:<line>: <path>`
 */
export function namedPaths(prose: readonly Prose[], files: readonly string[]): string[] {
  const known = new Set(files.flatMap(withFolders));
  const endings = new Set(files.flatMap(endingsOf));
  return prose.flatMap(({ file, line, text }) => {
    if (historical(file, text)) return [];
    return text
      .split('\n')
      .flatMap((content, index) =>
        fileOfBlock.test(content)
          ? []
          : missingIn(content, file, { known, endings }).map((name) => `${file}:${line + index}: ${name}`),
      );
  });
}

interface Project {
  known: ReadonlySet<string>;
  endings: ReadonlySet<string>;
}

function missingIn(content: string, file: string, { known, endings }: Project): string[] {
  const links = [...content.matchAll(link)].map(([, target = '']) => target);
  // What a link leads to is judged as a link, and an address is no path.
  const rest = content.replace(link, ']').replace(/\w+:\/\/\S+/g, ' ');
  const paths = [...rest.matchAll(fromRoot)].map(([name]) => trimmed(name));
  const sources = [...rest.matchAll(source)].map(([name]) => name);
  return [
    ...(file.endsWith('.md') ? links.filter((target) => !leadsSomewhere(target, file, known)) : []),
    ...paths.filter((name) => !placeholder.test(name) && !exists(name, file, known)),
    ...sources.filter((name) => !paths.some((one) => one.endsWith(name)) && !endings.has(name)),
  ];
}

/** A path may be meant from the root, or from a folder around the file: archives of SDKs have paths of their own. */
function exists(name: string, file: string, known: ReadonlySet<string>): boolean {
  const around = withFolders(file).slice(1);
  return ['', ...around.map((folder) => `${folder}/`)].some((base) => {
    const path = `${base}${name}`;
    // A decision may be named by its number.
    return known.has(path) || (/\/\d{4}$/.test(path) && [...known].some((one) => one.startsWith(`${path}-`)));
  });
}

function leadsSomewhere(target: string, file: string, known: ReadonlySet<string>): boolean {
  if (/^(\w+:|#)/.test(target)) return true;
  const [path = ''] = target.split('#');
  return known.has(resolved(path, file));
}

function resolved(path: string, file: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function trimmed(name: string): string {
  return name.replace(/[./]+$/, '');
}

/** `a/b/c` is itself, and the folders `a/b` and `a`. */
function withFolders(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

/** `a/b/c` ends with `c`, `b/c` and `a/b/c`. */
function endingsOf(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}
