import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installOnce, type Peer } from './peer.ts';
import { runProgram } from './run-program.ts';

const heyApi = { version: '0.99.0', typescript: '6.0.3' };
const oapiCodegenVersion = '2.8.2';
const pythonClientVersion = '0.29.1';

const heyApiFolder = (cache: string): string => path.join(cache, `hey-api-${heyApi.version}`);
const oapiCodegenFolder = (cache: string): string => path.join(cache, `oapi-codegen-${oapiCodegenVersion}`);
const pythonClientFolder = (cache: string): string =>
  path.join(cache, `openapi-python-client-${pythonClientVersion}`);

export const heyApiPeer: Peer = {
  name: `hey-api ${heyApi.version}`,
  language: 'typescript',
  install: (cache) =>
    installOnce(heyApiFolder(cache), (into) => {
      writeFileSync(path.join(into, 'package.json'), '{"private":true}');
      const packages = [`@hey-api/openapi-ts@${heyApi.version}`, `typescript@${heyApi.typescript}`];
      const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact'];
      runProgram({ file: 'npm', args: ['install', '--prefix', into, ...quiet, ...packages] });
    }),
  command: (cache, document, output) => {
    const program = path.join(heyApiFolder(cache), 'node_modules/@hey-api/openapi-ts/bin/run.js');
    const client = ['-c', '@hey-api/client-fetch', '--no-log-file'];
    return { file: process.execPath, args: [program, '-i', document, '-o', output, ...client] };
  },
};

/** Popular generators for one language that install in seconds. */
export const singleLanguagePeers: readonly Peer[] = [
  heyApiPeer,
  {
    name: `oapi-codegen ${oapiCodegenVersion}`,
    language: 'go',
    install: (cache) =>
      installOnce(oapiCodegenFolder(cache), (into) => {
        const module = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${oapiCodegenVersion}`;
        runProgram({ file: 'go', args: ['install', module], env: { GOBIN: into } });
      }),
    command: (cache, document, output) => {
      mkdirSync(output, { recursive: true });
      const file = path.join(output, 'client.gen.go');
      return {
        file: path.join(oapiCodegenFolder(cache), 'oapi-codegen'),
        args: ['-generate', 'types,client', '-package', 'commerce', '-o', file, document],
      };
    },
  },
  {
    name: `openapi-python-client ${pythonClientVersion}`,
    language: 'python',
    install: async (cache) => {
      const folder = pythonClientFolder(cache);
      // An environment contains its own path, so it is created in place. The marker of its completion is created last.
      await installOnce(path.join(folder, 'installed'), () => {
        runProgram({ file: 'python3', args: ['-m', 'venv', folder] });
        const program = path.join(folder, 'bin/pip');
        runProgram({
          file: program,
          args: ['install', '-q', `openapi-python-client==${pythonClientVersion}`],
        });
      });
    },
    command: (cache, document, output) => {
      const programs = path.join(pythonClientFolder(cache), 'bin');
      return {
        file: path.join(programs, 'openapi-python-client'),
        args: ['generate', '--path', document, '--output-path', output, '--meta', 'poetry'],
        // It formats its output with the ruff that it installs.
        env: { PATH: `${programs}${path.delimiter}${process.env.PATH ?? ''}` },
      };
    },
  },
];
