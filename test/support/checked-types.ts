import path from 'node:path';
import ts from 'typescript';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const folder = path.join(projectRoot, 'test/support/.checked');

/**
 * Returns the type errors of TypeScript modules in one folder, as an author's strict compiler reports them. `svc/node`
 * is that of the project.
 *
 * @param sources text by file name
 */
export function typeErrors(sources: Readonly<Record<string, string>>): string[] {
  const files = new Map(Object.entries(sources).map(([name, text]) => [path.join(folder, name), text]));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    getCurrentDirectory: () => projectRoot,
    directoryExists: (name) => name === folder || ts.sys.directoryExists(name),
    fileExists: (file) => files.has(file) || host.fileExists(file),
    readFile: (file) => files.get(file) ?? host.readFile(file),
    getSourceFile(file, languageVersion) {
      const text = files.get(file);
      return text === undefined
        ? host.getSourceFile(file, languageVersion)
        : ts.createSourceFile(file, text, languageVersion, true);
    },
  });
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && files.has(file.fileName))
    .map(({ file, start = 0, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      const name = path.basename(file?.fileName ?? '');
      return `${name}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
}
