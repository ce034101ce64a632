import { readFile } from 'node:fs/promises';
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** A parsed page of the documentation. */
export interface Page {
  /** Path relative to the project root. */
  path: string;
  text: string;
  /** Cells of every table row, without headings. */
  rows: readonly (readonly string[])[];
  blocks: readonly Block[];
}

/** A fenced block. */
interface Block {
  language: string;
  /** The file name that follows the language on the fence. */
  info: string;
  content: string;
}

/** @param file path relative to the project root */
export async function readPage(file: string): Promise<Page> {
  const text = await readFile(path.join(projectRoot, file), 'utf8');
  const prose = text.replace(/^```.*?^```$/gms, '');
  return {
    path: file,
    text,
    rows: prose.split('\n').filter(isRow).map(cellsOf),
    blocks: [...text.matchAll(/^```(\w*) ?([^\n]*)\n(.*?)^```$/gms)].map(
      ([, language = '', info = '', content = '']) => ({
        language,
        info,
        content,
      }),
    ),
  };
}

/** The row whose first cell names this, in backquotes. */
export function rowOf(page: Page, name: string): readonly string[] | undefined {
  return page.rows.find(([first = '']) => codesOf(first).includes(name));
}

/** Everything in backquotes. */
export function codesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, content = '']) => content);
}

/** Identifiers of headings, as GitHub makes them. */
export function anchorsOf({ text }: Pick<Page, 'text'>): Set<string> {
  const headings = text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}

function isRow(line: string): boolean {
  return line.startsWith('|') && !/^\|[\s:|-]+\|$/.test(line);
}

/** A bar within a cell is escaped. */
function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
