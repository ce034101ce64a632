import { existsSync } from 'node:fs';
import path from 'node:path';
import { installInto } from './install-into.ts';
import type { LanguageCheck } from './language-check.ts';
import { countLines, requireTool, runTool } from './run-tool.ts';

const staticcheck = 'honnef.co/go/tools/cmd/staticcheck@v0.8.2';

/** The installed toolchain. Without paths in compiled code, the build cache recognizes it in another folder. */
const env = { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod -trimpath' };

export const goCheck: LanguageCheck = {
  languages: ['go'],
  tools: 'Go: gofmt, go vet, staticcheck',
  check(folder, cache) {
    const tools = path.join(cache, 'staticcheck');
    installInto(tools, () => requireTool('go', ['install', staticcheck], cache, { ...env, GOBIN: tools }));
    // Some generators leave go.mod to the user.
    if (!existsSync(path.join(folder, 'go.mod'))) requireTool('go', ['mod', 'init', 'commerce'], folder, env);
    runTool('go', ['mod', 'tidy'], folder, env);
    if (!runTool('go', ['build', './...'], folder, env).passed)
      return { compiles: false, warnings: undefined };
    const unformatted = countLines(runTool('gofmt', ['-l', '.'], folder).output, /\.go$/);
    const vetted = countLines(runTool('go', ['vet', './...'], folder, env).output, /\.go:\d+/);
    const linted = runTool(path.join(tools, 'staticcheck'), ['./...'], folder, env);
    return { compiles: true, warnings: unformatted + vetted + countLines(linted.output, /\.go:\d+/) };
  },
};
