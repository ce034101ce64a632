import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installInto } from './install-into.ts';
import type { LanguageCheck } from './language-check.ts';
import { countLines, requireTool, runTool } from './run-tool.ts';

/** The compiler and the dependencies of SDKs. */
const packages = ['typescript@6.0.3', '@types/node@24', 'axios@1'];

const options = {
  ...{ noEmit: true, strict: true, skipLibCheck: true, target: 'es2022', lib: ['es2024', 'dom', 'dom.iterable'] },
  ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true, types: ['node'] },
  // Of a folder that is a package of its own, its name leads back to it.
  ...{ rewriteRelativeImportExtensions: false, resolveJsonModule: true },
}; // prettier-ignore

/** Compiler options beyond `strict`. */
const strictest = {
  ...{ exactOptionalPropertyTypes: true, noFallthroughCasesInSwitch: true, noImplicitOverride: true },
  ...{ noImplicitReturns: true, noUncheckedIndexedAccess: true, noUnusedLocals: true, noUnusedParameters: true },
}; // prettier-ignore

export const typescriptCheck: LanguageCheck = {
  languages: ['typescript', 'typescript-browser'],
  tools: 'TypeScript: tsc --strict with its further warnings',
  check(folder, cache) {
    const tools = path.join(cache, 'typescript');
    installInto(tools, () => {
      writeFileSync(path.join(tools, 'package.json'), '{"private":true}');
      requireTool('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], tools);
    });
    const modules = path.join(folder, 'node_modules');
    if (!existsSync(modules)) symlinkSync(path.join(tools, 'node_modules'), modules);
    const include = existsSync(path.join(folder, 'src')) ? ['src/**/*.ts'] : ['**/*.ts'];
    const problems = (extra: object): number => {
      const project = path.join(folder, 'tsconfig.check.json');
      writeFileSync(
        project,
        JSON.stringify({ compilerOptions: { ...options, ...extra }, include, exclude: [] }),
      );
      const compiler = path.join(tools, 'node_modules/typescript/bin/tsc');
      return countLines(runTool(process.execPath, [compiler, '-p', project], folder).output, /error TS\d+/);
    };
    if (problems({}) > 0) return { compiles: false, warnings: undefined };
    return { compiles: true, warnings: problems(strictest) };
  },
};
