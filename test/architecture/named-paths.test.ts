import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';

import { itSlow } from '../support/fast-run.ts';
import { readProse } from './prose.ts';
import { namedPaths } from './rules/named-paths.ts';
import { readProject } from './source-tree.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
/** Folders that are made, not written. */
const made = ['node_modules', '.git', '.cache', 'data', 'coverage'];

describe('documents and comments', function () {
  this.timeout(60_000);

  itSlow('name only existing paths of the project', () => {
    const prose = readProse(readProject());
    assert.ok(prose.length > 1_000, 'no comments were found');
    assert.deepEqual(namedPaths(prose, allFiles('')), []);
  });
});

/** Every file of the project, dot files included. */
function allFiles(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true })
    .filter((entry) => !made.includes(entry.name))
    .flatMap((entry) => {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? allFiles(file) : [file];
    });
}
