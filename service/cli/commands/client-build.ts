import type { Command } from 'commander';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { buildRow } from '../../../specs/operations/client-shapes.ts';
import { type ApiTarget, apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath, repeated } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { findClient } from '../find-client.ts';
import { requireKnownLanguages } from '../known-language.ts';
import { CliError, note, printResult, table, type Terminal } from '../output.ts';
import { createProgress } from '../progress.ts';
import { versionNumber } from '../version-number.ts';

interface BuildFlags extends ApiFlags {
  language?: string[];
  version?: string;
  wait: boolean;
}

/** The build of one language. */
type Build = z.infer<typeof buildRow>;

const pollMs = 300;

/** `svc client build <client>`: builds SDKs of a client and waits until they can be downloaded. */
export function buildCommand(terminal: Terminal): Command {
  return apiCommand('build', 'write')
    .description("Build SDKs of a client's members as a new version, and wait until they are ready")
    .argument('<client>', 'name, slug or id of the client')
    .option('--language <language>', "language of an SDK; repeatable (default: the client's)", repeated)
    .option('--version <n>', 'add languages to this version instead of building a new one')
    .option('--no-wait', 'print the builds without waiting for them')
    .action((client: string, flags: BuildFlags) => build(terminal, client, flags));
}

async function build(terminal: Terminal, given: string, flags: BuildFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  await requireKnownLanguages(flags.language ?? []);
  const body = {
    ...(flags.language && { languages: flags.language }),
    ...(flags.version !== undefined && { version: versionNumber(flags.version) }),
  };
  const client = await findClient(target, given);
  const path = apiPath('/api/v1/clients/{}', client.id);
  const started = await askApi<Build[]>(target, {
    method: 'POST',
    path: `${path}/build`,
    body,
    subject: `client ${client.slug}`,
    hint: `its latest version is ${client.latest_version}`,
  });
  const builds = flags.wait ? await finished(terminal, target, path, started) : started;
  const rows = builds.map((row) => [String(row.version), row.language, row.status, row.error ?? null]);
  printResult(terminal, flags, builds, table(['VERSION', 'LANGUAGE', 'STATUS', 'ERROR'], rows));
  const failed = builds.filter(({ status }) => status === 'failed').map(({ language }) => language);
  if (failed.length > 0) throw new CliError(`the build failed for ${failed.join(', ')}`);
  const [{ version } = {}] = builds;
  if (flags.version === undefined && client.latest_version > 0 && version !== undefined) {
    note(
      terminal,
      `created version ${version}; to add a language to an existing version, pass --version, for example svc client build ${client.slug} --language <language> --version ${version}`,
    );
  }
  if (flags.wait) note(terminal, `download with svc client download ${client.slug}`);
}

/** Waits until none of the builds is pending. A terminal shows the progress. */
async function finished(
  terminal: Terminal,
  target: ApiTarget,
  path: string,
  started: readonly Build[],
): Promise<Build[]> {
  const version = started[0]?.version;
  const languages = new Set(started.map(({ language }) => language));
  const progress = terminal.stderr.isTTY ? createProgress(terminal.stderr, started.length) : undefined;
  let builds = [...started];
  let done = -1;
  for (;;) {
    const pending = builds.filter(({ status }) => status === 'pending').map(({ language }) => language);
    for (; done < builds.length - pending.length; done += 1) progress?.step(`building ${pending.join(', ')}`);
    if (pending.length === 0) break;
    await pause(pollMs);
    const rows = await askApi<Build[]>(target, { method: 'GET', path: `${path}/versions` });
    builds = rows.filter((row) => row.version === version && languages.has(row.language));
  }
  progress?.finish(`built version ${version ?? ''}`);
  return builds;
}
