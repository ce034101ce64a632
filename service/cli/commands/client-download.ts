import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { makeFolder } from '../../objects/make-folder.ts';
import { type ApiTarget, apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath, repeated } from '../api-command.ts';
import { askApi, openApi } from '../ask-api.ts';
import { type Client, findClient } from '../find-client.ts';
import { requireKnownLanguages } from '../known-language.ts';
import { CliError, note, printResult, type Terminal } from '../output.ts';
import { versionNumber } from '../version-number.ts';

interface DownloadFlags extends ApiFlags {
  language?: string[];
  version?: string;
  output: string;
}

/** `svc client download <client>`: writes the SDK archives of a version, and prints the path of each. */
export function downloadCommand(terminal: Terminal): Command {
  return apiCommand('download', 'read')
    .description('Download the SDKs of a client as archives, and print their paths')
    .argument('<client>', 'name, slug or id of the client')
    .option('--language <language>', 'language of an SDK; repeatable (default: all that are built)', repeated)
    .option('--version <n>', 'version of the client (default: the latest)')
    .option('--output <dir>', 'folder to write to', '.')
    .action((client: string, flags: DownloadFlags) => download(terminal, client, flags));
}

async function download(terminal: Terminal, given: string, flags: DownloadFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const named = flags.version === undefined ? undefined : versionNumber(flags.version);
  await requireKnownLanguages(flags.language ?? []);
  const client = await findClient(target, given);
  const version = named ?? client.latest_version;
  if (version > client.latest_version) {
    const { slug, latest_version: latest } = client;
    const advice =
      latest === 0 ? `build one with svc client build ${slug}` : `its latest version is ${latest}`;
    throw new CliError(`client ${slug} has no version ${version}: ${advice}`);
  }
  const languages = flags.language ?? (await builtLanguages(terminal, target, { id: client.id, version }));
  if (languages.length === 0) {
    const build = `svc client build ${client.slug}${named === undefined ? '' : ` --version ${named}`}`;
    throw new CliError(`client ${client.slug} has no SDK to download: build it with ${build}`);
  }
  await makeFolder(flags.output).catch((error: unknown) => {
    throw new CliError(`cannot create ${flags.output}: ${String(error)}`);
  });
  const written: { language: string; version: number; file: string }[] = [];
  for (const language of languages) {
    const file = await writeArchive(target, { client, version, language }, flags.output);
    written.push({ language, version, file });
  }
  printResult(terminal, flags, written, written.map(({ file }) => file).join('\n'));
}

async function builtLanguages(
  terminal: Terminal,
  target: ApiTarget,
  { id, version }: { id: string; version: number },
): Promise<string[]> {
  const question = { method: 'GET', path: apiPath('/api/v1/clients/{}/versions', id) } as const;
  const builds = await askApi<Client['versions']>(target, question);
  const ofVersion = builds.filter((build) => build.version === version);
  for (const { language, status } of ofVersion) {
    if (status !== 'succeeded') note(terminal, `left out ${language}: its build is ${status}`);
  }
  return ofVersion.filter(({ status }) => status === 'succeeded').map(({ language }) => language);
}

async function writeArchive(
  target: ApiTarget,
  { client, version, language }: { client: Client; version: number; language: string },
  folder: string,
): Promise<string> {
  const route = apiPath('/api/v1/clients/{}/versions/{}/download', client.id, String(version));
  const response = await openApi(target, {
    method: 'GET',
    path: `${route}?language=${encodeURIComponent(language)}`,
    subject: `version ${version} of client ${client.slug} in ${language}`,
    hint: `build it with svc client build ${client.slug} --language ${language}`,
  });
  const [, name] = /filename="?([\w.-]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const file = path.join(folder, name ?? `${client.slug}-${language}.zip`);
  const { body } = response;
  if (!body) throw new CliError(`${target.url} sent no archive for ${language}`);
  // Only a complete archive ever has the final name.
  const partial = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(body), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw new CliError(`cannot write ${file}: ${thrownMessage(error)}`);
  }
  return file;
}
