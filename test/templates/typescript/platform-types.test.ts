import assert from 'node:assert/strict';
import path from 'node:path';
import ts from 'typescript';
import { suiteNeeds } from '../../support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../..');
const runtimeDir = path.join(projectRoot, 'templates/typescript/runtime/src/runtime');

/** A program that passes types of platforms and libraries to and from the runtime. */
const program = `
  import { fetch as undiciFetch } from "undici-types";
  import type { ByteArray } from "./codec/values.ts";
  import type { Fetch } from "./fetch.ts";
  import type { FrameStream } from "./frame-stream.ts";
  import type { LiveSession } from "./live-session.ts";
  import type { RequestHeaders } from "./options.ts";

  declare const bytes: ByteArray;
  declare const stream: FrameStream<string>;
  declare const session: LiveSession<string, string>;

  export const transports: Fetch[] = [
    fetch,
    undiciFetch,
    (url, init) => fetch(url, init),
    (url, init) => undiciFetch(url, { ...init }),
  ];
  export const headers: RequestHeaders = new Headers();
  export const blob = new Blob([bytes]);
  export const digest = crypto.subtle.digest("SHA-256", bytes);
  export async function dispose(): Promise<void> {
    await using closedStream = stream;
    await using closedSession = session;
    void [closedStream, closedSession];
  }
`;

suiteNeeds('typescript', 'types of the TypeScript runtime', function () {
  this.timeout(180_000);

  it('are compatible with those of Node.js', () => {
    assert.deepEqual(problems(['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts']), []);
  });

  it('are compatible with those of Node.js and the DOM together, the default without lib', () => {
    assert.deepEqual(problems(['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts']), []);
  });
});

function problems(lib: string[]): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib,
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const file = path.join(runtimeDir, 'program.mts');
  const isProgram = (name: string): boolean => path.resolve(name) === file;
  const checked = ts.createProgram({
    rootNames: [file],
    options,
    host: {
      ...host,
      getCurrentDirectory: () => projectRoot,
      fileExists: (name) => isProgram(name) || host.fileExists(name),
      getSourceFile: (name, version) =>
        isProgram(name)
          ? ts.createSourceFile(name, program, version, true)
          : host.getSourceFile(name, version),
    },
  });
  return ts
    .getPreEmitDiagnostics(checked, checked.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0]!);
}
