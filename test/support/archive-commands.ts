import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { mavenEnv } from './java-tools.ts';

/** The commands of `MANIFEST.json`. */
interface CommandManifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

/** Output and exit code of a command. */
interface CommandRun {
  code: number;
  /** `stdout`, then `stderr`. */
  output: string;
}

/** Runs the commands of archive manifests against a service that gives the same response to every request. */
export interface ArchiveCommands {
  /** Sets the response of the service. */
  answer(status: number, body: string, type?: string): void;
  manifestOf(name: string): Promise<CommandManifest>;
  /** Returns the command of a member's example. */
  example(name: string, alias: string): Promise<string>;
  /** Runs a command in the folder of an archive. A failure is a result, not an exception. */
  run(name: string, command: string): Promise<CommandRun>;
  stop(): void;
}

/**
 * @param root the folder of the unpacked archives, one sub-folder each.
 * @param env variables of the language, in addition to the environment of the tests.
 */
export async function startArchiveCommands(
  root: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ArchiveCommands> {
  let answered = { status: 500, body: '{}', type: 'application/json' };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(answered.status, { 'Content-Type': answered.type }).end(answered.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service = {
    SVC_API_KEY: 'a'.repeat(64),
    SVC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const manifestOf = async (name: string): Promise<CommandManifest> =>
    JSON.parse(await readFile(path.join(root, name, 'MANIFEST.json'), 'utf8')) as CommandManifest;
  return {
    answer: (status, body, type = 'application/json') => {
      answered = { status, body, type };
    },
    manifestOf,
    example: async (name, alias) => {
      const { members } = await manifestOf(name);
      return members.find((member) => member.alias === alias)?.example ?? assert.fail(alias);
    },
    run: (name, command) =>
      new Promise((resolve) => {
        const options = {
          cwd: path.join(root, name),
          env: { ...process.env, ...mavenEnv, ...env, ...service },
        };
        exec(command, options, (error, stdout, stderr) => {
          const code = error === null ? 0 : (error.code ?? 1);
          resolve({ code, output: `${stdout}${stderr}` });
        });
      }),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
