import assert from 'node:assert/strict';
import { reservedNames } from '../../../../generator/languages/typescript/reserved-names.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { renderedFixtures } from './rendered-fixtures.ts';

suiteNeeds('processes', 'names that no symbol of a model may take in TypeScript', function () {
  this.timeout(180_000);

  for (const id of ['typescript', 'typescript-browser'])
    it(`are all that generated modules of ${id} take from the runtime`, async () => {
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

/** Messages are types and tables: no function of theirs can have the name of one of the runtime. */
function canClash(file: string, name: string): boolean {
  return file !== 'src/messages.ts' || /^[A-Z]|Type$/.test(name);
}

/** Names that a module imports or exports; not of namespaces, whose words are no name of a type, a table or a function. */
function runtimeNames(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from "\.\/runtime\//gm);
  return [...statements].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== ''),
  );
}
