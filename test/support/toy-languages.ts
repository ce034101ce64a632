import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LanguageFolders } from '../../service/languages/load-language.ts';

const ownDocuments = path.resolve(import.meta.dirname, '../../templates/documents');

/**
 * Languages that misbehave, under names that the API accepts, in separate folders:
 * `go` builds, `rust` throws, `java` ends its thread, `csharp` ends its thread the first time, `python` never returns,
 * `typescript` builds once the file `released` exists in the folder, and creates the file `begun` while it waits.
 */
export async function makeToyLanguages(): Promise<LanguageFolders & { root: string }> {
  const root = await mkdtemp(path.join(tmpdir(), 'svc-toys-'));
  const generatorDir = path.join(root, 'generator');
  const templatesDir = path.join(root, 'templates');
  await mkdir(path.join(generatorDir, 'languages'), { recursive: true });
  await mkdir(templatesDir);
  await symlink(ownDocuments, path.join(templatesDir, 'documents'));
  const marker = (name: string) => JSON.stringify(path.join(root, name));
  const behaviours: Record<string, string> = {
    go: '',
    rust: `throw new Error('rust has "rusted"');`,
    java: `process.exit(3);`,
    csharp: `
      if (!existsSync(${marker('died')})) {
        writeFileSync(${marker('died')}, '');
        process.exit(3);
      }`,
    python: `for (;;) {}`,
    typescript: `
      writeFileSync(${marker('begun')}, '');
      while (!existsSync(${marker('released')})) await new Promise((resolve) => setTimeout(resolve, 5));`,
  };
  for (const [id, behaviour] of Object.entries(behaviours)) {
    const folderOf = path.join(generatorDir, 'languages', id);
    await mkdir(folderOf);
    await writeFile(path.join(folderOf, 'language.ts'), languageSource(id, behaviour));
    for (const folder of ['sdk', 'parts', 'runtime']) {
      await mkdir(path.join(templatesDir, id, folder), { recursive: true });
    }
    await writeFile(path.join(templatesDir, id, 'sdk', 'all.txt.hbs'), '{{text}}');
  }
  return { root, generatorDir, templatesDir };
}

function languageSource(id: string, behaviour: string): string {
  return `
    import { existsSync, writeFileSync } from 'node:fs';
    export const language = {
      id: '${id}',
      archiveSuffix: '${id}',
      plan: (model) => ({
        manifest: {
          package: { name: 'toy', import: 'toy' }, setup: 'true', test: 'true', example: () => 'true',
        },
        runtimePath: (path) => path,
        snippet: () => '',
        terms: {
          languageName: 'Toy',
          fence: 'text',
          call: () => 'toy()',
          typeName: (fullName) => fullName,
          field: (message, field) => ({ name: field.name, type: 'toy' }),
          enumValue: (enumeration, value) => value.name,
        },
        files: async () => {
          ${behaviour}
          return [{ path: 'all.txt', template: 'all.txt', view: { text: JSON.stringify(model) } }];
        },
      }),
    };
  `;
}
