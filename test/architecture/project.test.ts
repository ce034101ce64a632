import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { docstrings } from './rules/docstrings.ts';
import { fileNames } from './rules/file-names.ts';
import { importCycles } from './rules/import-cycles.ts';
import { languages } from './rules/languages.ts';
import { layers } from './rules/layers.ts';
import { moduleForm } from './rules/module-form.ts';
import { moduleState } from './rules/module-state.ts';
import { purity } from './rules/purity.ts';
import { runtimeCycles } from './rules/runtime-cycles.ts';
import { templateExpressions } from './rules/templates.ts';
import { testPlaces } from './rules/test-places.ts';
import { unusedExports } from './rules/unused-exports.ts';
import { listFiles, type Rule, readProject, type SourceTree } from './source-tree.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const LONG_FILE_LINES = 300;

describe('the project', () => {
  let tree: SourceTree;

  before(() => {
    tree = readProject();
  });

  const rules: Record<string, Rule> = {
    'imports in one direction, between its folders and inside service': layers,
    'has no import cycles': importCycles,
    'keeps specs and generator pure': purity,
    'keeps no state in modules of specs and generator': moduleState,
    'has no barrels, no export * and no default exports': moduleForm,
    'names files in kebab-case for their content': fileNames,
    'keeps each test at the path of its source': testPlaces,
    'imports every export in another file': unusedExports,
    'documents its exported functions and types': docstrings,
  };
  for (const [promise, rule] of Object.entries(rules)) {
    it(promise, () => {
      assert.deepEqual(rule(tree), []);
    });
  }

  it('has a template folder for each language and a language for each template folder', () => {
    assert.deepEqual(languages([...tree.keys(), ...listFiles('templates')]), []);
  });

  it('has no import cycles in SDK runtimes', () => {
    const files = listFiles('templates').filter((file) => file.includes('/runtime/'));
    const texts = files.map((file) => [file, readFileSync(path.join(projectRoot, file), 'utf8')] as const);
    assert.deepEqual(runtimeCycles(new Map(texts)), []);
  });

  it('has no expressions in templates', () => {
    const templates = listFiles('templates').filter((file) => file.endsWith('.hbs'));
    const found = templates.flatMap((file) =>
      templateExpressions(file, readFileSync(path.join(projectRoot, file), 'utf8')),
    );
    assert.deepEqual(found, []);
  });

  it('has sources in each folder that the rules check', () => {
    for (const folder of ['specs', 'generator', 'service', 'test']) {
      assert.ok(
        [...tree.keys()].some((file) => file.startsWith(`${folder}/`)),
        `no sources in ${folder}`,
      );
    }
  });

  // Not a limit: a file beyond this length probably holds two things. The title lists them, so that people read it.
  it(`lists its files longer than ${LONG_FILE_LINES} lines`, function () {
    const long = [...tree.values()]
      .filter((file) => !file.path.startsWith('test/') && !file.text.includes('@generated'))
      .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > LONG_FILE_LINES)
      .map((file) => `${file.path} (${file.lines})`);
    if (this.test) this.test.title += `: ${long.join(', ') || 'none'}`;
  });
});
