import assert from 'node:assert/strict';
import { reservedNames } from '../../../../generator/languages/typescript/reserved-names.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { renderedFixtures } from './rendered-fixtures.ts';

suiteNeeds('processes', 'reserved names of a TypeScript SDK', function () {
  this.timeout(180_000);

  for (const id of ['typescript', 'typescript-browser'])
    it(`include all names that generated modules of ${id} import from the runtime`, async () => {
      const taken = new Set<string>();
      for (const { files, runtime } of await renderedFixtures(id))
        for (const [file, text] of files)
          if (file.startsWith('src/') && !runtime.has(file))
            for (const name of runtimeNames(text)) if (canClash(file, name)) taken.add(name);
      assert.ok(taken.size > 15, `${taken.size} names`);
      assert.deepEqual(
        [...taken].filter((name) => !reservedNames.has(name)),
        [],
      );
    });
});

/** Messages are types and tables, so they cannot clash with functions of the runtime. */
function canClash(file: string, name: string): boolean {
  return file !== 'src/messages.ts' || /^[A-Z]|Type$/.test(name);
}

/** Names that a module imports from the runtime or re-exports, except namespaces, which cannot clash. */
function runtimeNames(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "\.\/runtime\//gm);
  return [...statements].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  );
}
