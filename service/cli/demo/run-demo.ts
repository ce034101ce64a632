import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { scopes } from '../../../specs/operations/operation.ts';
import { createApiKey } from '../../access/create-api-key.ts';
import { listLanguages } from '../../languages/load-language.ts';
import { startStopwatch, systemClock } from '../../clock.ts';
import { createIds } from '../../ids.ts';
import { type Service, startService } from '../../main.ts';
import { readPackageFolder } from '../../nodes/package-folder.ts';
import { makeFolder } from '../../objects/make-folder.ts';
import { openDatabase } from '../../store/open-database.ts';
import { insertTenant } from '../../store/tenants.ts';
import { callApi, type ApiTarget } from '../api-client.ts';
import { CliError, type Terminal } from '../output.ts';
import { stopRequested } from '../stop-requested.ts';
import { createProgress, type Progress } from '../progress.ts';
import { unpackArchive } from '../unpack-archive.ts';
import { runApproval } from './demo-approval.ts';
import { compileFlow, countEvents } from './demo-flow.ts';
import { demoConfig, emptyDemoFolder } from './demo-folder.ts';
import { type DownloadedArchive, demoSummary, type SdkCall } from './demo-summary.ts';
import { runCommand } from './run-command.ts';
import { servePackage, type ServedPackage } from './serve-package.ts';

/** The sample packages. Each folder contains `package.yaml` and the handlers. */
const samples = ['acme-text', 'acme-orders', 'acme-generic', 'acme-streams'];
const packagesDir = new URL('../../../fixtures/packages/', import.meta.url).pathname;

/** The nodes of the demo's client. The demo calls `Tokenize` and streams `ContinueText` through the downloaded SDK. */
const members = [
  { type: 'node', package: 'acme/text', node_name: 'Tokenize', alias: 'tokenize' },
  { type: 'node', package: 'acme/text', node_name: 'WordStatistics', alias: 'word-statistics' },
  { type: 'node', package: 'acme/text', node_name: 'ExtractKeywords', alias: 'extract-keywords' },
  { type: 'node', package: 'acme/orders', node_name: 'PriceOrder', alias: 'price-order' },
  { type: 'node', package: 'acme/streams', node_name: 'ContinueText', alias: 'continue-text' },
];
/** The flow of the demo's client: computes statistics and keywords in parallel and joins them. */
const flowFile = new URL('../../../fixtures/flows/describe-text.yaml', import.meta.url).pathname;
const flowAlias = 'describe-text';
/** The flow whose node asks a human to approve an expensive order. */
const approvalFile = new URL('../../../fixtures/flows/approve-order.yaml', import.meta.url).pathname;
const approvalAlias = 'order-approval';
const callingLanguage = 'typescript';
const sampleInput = '{"text":"Typed nodes, wired into flows, called from seven languages."}';
/** A prompt whose output arrives slowly enough to watch. */
const samplePrompt = JSON.stringify({
  text: 'frames',
  corpus: 'frames arrive as the node makes them and frames wait until the client has read the last one',
  maxTokens: 8,
  delayMs: 150,
});

interface Manifest {
  setup: string;
  members: { alias: string; example: string }[];
}

/**
 * Starts the service and node containers, publishes the sample packages, builds a client, calls it, streams through it, and
 * shows a run that waits for a decision. The next demo deletes what this one leaves in its data folder. With `keep`, the service
 * runs until Ctrl-C.
 */
export async function runDemo(terminal: Terminal, keep: boolean): Promise<void> {
  const config = demoConfig(terminal.env);
  const { dataDir } = config;
  const languages = await listLanguages();
  const progress = createProgress(terminal.stderr, 8 + samples.length + languages.length);
  const served: ServedPackage[] = [];
  let service: Service | undefined;
  try {
    progress.step('starting svc');
    await emptyDemoFolder(dataDir);
    const key = await createTenant(dataDir);
    service = await startService(config);
    const target: ApiTarget = { url: service.url, key };

    for (const sample of samples) {
      progress.step(`publishing ${sample}`);
      served.push(await publishSample(target, path.join(packagesDir, sample)));
    }

    progress.step('compiling the flows describe-text and approve-order');
    const flow = await compileFlow(target, flowFile);
    const approvalFlow = await compileFlow(target, approvalFile);

    progress.step('creating a client');
    const client = await createClient(target, [
      { type: 'flow', artifact_id: flow.graphId, alias: flowAlias },
      { type: 'flow', artifact_id: approvalFlow.graphId, alias: approvalAlias },
    ]);
    const built = await buildAll({ target, client, dataDir }, languages, progress);

    const folder = path.join(dataDir, 'sdk', callingLanguage);
    const manifest = await unpackSdk(built, folder);
    const calls = await callMembers({ manifest, folder, target }, progress);
    progress.step('running the flow approve-order, which waits for a decision of another process');
    const approval = await runApproval(target, approvalFlow.graphId);
    const pages = [
      `${target.url}/docs`,
      `${target.url}/api/packages/acme/text@latest/docs`,
      `${target.url}/api/graphs/${flow.graphId}/docs`,
    ];
    await Promise.all(pages.map(checkPage));
    progress.finish('done');

    const shown = { url: service.url, key, built, folder, input: sampleInput, calls, approval, pages, keep };
    terminal.stdout.write(`${demoSummary(shown)}\n`);
    if (keep) await stopRequested();
  } finally {
    // A container that still runs would keep the process alive.
    await Promise.allSettled(served.map((one) => one.stop()));
    await service?.stop();
  }
}

/** Creates the tenant and its key in the database, since the API has no route for it. */
async function createTenant(dataDir: string): Promise<string> {
  const db = await openDatabase({ dataDir });
  const ids = createIds(systemClock);
  try {
    const id = ids.ulid();
    // The demo polls faster than the default rate limits allow.
    const limits = { rps: 1000, burst: 1000, invocationRps: 100, invocationBurst: 100 };
    await insertTenant(db.knex, {
      id,
      handle: 'acme',
      status: 'active',
      limits,
      createdAt: systemClock.now(),
    });
    const { secret } = await createApiKey(
      db.knex,
      { ids, clock: systemClock },
      { tenantId: id, name: 'demo', kind: 'full', scopes },
    );
    return secret;
  } finally {
    await db.close();
  }
}

async function publishSample(target: ApiTarget, folder: string): Promise<ServedPackage> {
  const container = await servePackage(path.join(folder, 'handlers.ts'));
  const body = { ...(await readPackageFolder(folder)), endpoint: container.endpoint };
  try {
    await callApi(target, 'POST', '/api/v1/packages', body);
    return container;
  } catch (error) {
    await container.stop();
    throw error;
  }
}

/** Creates the client with the demo's nodes and these flows, and returns its id. */
async function createClient(target: ApiTarget, flows: readonly object[]): Promise<string> {
  const { body } = await callApi(target, 'POST', '/api/v1/clients', { name: 'Demo client' });
  const { id } = body as { id: string };
  await callApi(target, 'PUT', `/api/v1/clients/${id}/members`, { members: [...members, ...flows] });
  return id;
}

/** Builds the languages one after the other, to show the time that each takes. */
async function buildAll(
  { target, client, dataDir }: { target: ApiTarget; client: string; dataDir: string },
  languages: readonly string[],
  progress: Progress,
): Promise<DownloadedArchive[]> {
  const built: DownloadedArchive[] = [];
  for (const language of languages) {
    progress.step(`building the ${language} SDK`);
    const elapsedMs = startStopwatch();
    const version = built.length === 0 ? 0 : 1;
    await callApi(target, 'POST', `/api/v1/clients/${client}/build`, { languages: [language], version });
    await finished(target, client, language);
    const archive = await download(target, client, language);
    const file = path.join(dataDir, archive.name);
    await makeFolder(dataDir);
    await writeFile(file, archive.bytes);
    built.push({
      language,
      file,
      bytes: archive.bytes.length,
      seconds: elapsedMs() / 1000,
    });
  }
  return built;
}

async function finished(target: ApiTarget, client: string, language: string): Promise<void> {
  for (;;) {
    const { body } = await callApi(
      target,
      'GET',
      `/api/v1/clients/${client}/versions/1?language=${language}`,
    );
    const row = body as { status: string; error?: string };
    if (row.status === 'succeeded') return;
    if (row.status === 'failed')
      throw new CliError(`the build of the ${language} SDK failed: ${row.error ?? ''}`);
    await delay(50);
  }
}

async function download(
  { url, key }: ApiTarget,
  client: string,
  language: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  const response = await fetch(`${url}/api/v1/clients/${client}/versions/1/download?language=${language}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  if (!response.ok) throw new CliError(`cannot download the ${language} SDK: ${await response.text()}`);
  const name = /filename=(.+)$/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { name: name ?? `${language}.zip`, bytes: new Uint8Array(await response.arrayBuffer()) };
}

async function unpackSdk(built: readonly DownloadedArchive[], folder: string): Promise<Manifest> {
  const archive = built.find((one) => one.language === callingLanguage);
  if (!archive) throw new CliError(`this release has no ${callingLanguage} generator`);
  await unpackArchive(await readFile(archive.file), folder);
  return JSON.parse(await readFile(path.join(folder, 'MANIFEST.json'), 'utf8')) as Manifest;
}

/** A downloaded SDK, and the service that it calls. */
interface UnpackedSdk {
  manifest: Manifest;
  folder: string;
  target: ApiTarget;
}

/** Sets the SDK up, and calls a node, a flow and a stream through it. */
async function callMembers(sdk: UnpackedSdk, progress: Progress): Promise<SdkCall[]> {
  const { manifest, folder, target } = sdk;
  progress.step(`setting up the ${callingLanguage} SDK (${manifest.setup})`);
  await runCommand(manifest.setup, folder, {});
  progress.step(`calling acme/text Tokenize through the SDK`);
  const output = await callThroughSdk(sdk, 'tokenize', sampleInput);
  progress.step(`running the flow ${flowAlias} through the SDK`);
  const described = await callThroughSdk(sdk, flowAlias, sampleInput);
  const events = await countEvents(target);
  progress.step('streaming acme/streams ContinueText through the SDK, frame by frame');
  await callThroughSdk(sdk, 'continue-text', samplePrompt, (frame) => progress.say(`    ${frame}`));
  return [
    { title: 'Called acme/text Tokenize:', output },
    { title: `Ran the flow ${flowAlias} (${events} durable events):`, output: described },
  ];
}

/** Runs the example of a member. `onLine` receives each line that it prints, as soon as it has arrived. */
async function callThroughSdk(
  { manifest, folder, target: { url, key } }: UnpackedSdk,
  alias: string,
  input: string,
  onLine?: (line: string) => void,
): Promise<string> {
  const member = manifest.members.find((one) => one.alias === alias);
  if (!member) throw new CliError(`the SDK has no member "${alias}"`);
  // The JSON contains no single quote, so single quotes protect it in any POSIX shell.
  const command = `${member.example} '${input}'`;
  const output = await runCommand(command, folder, { SVC_API_KEY: key, SVC_BASE_URL: url }, onLine);
  return output.trim();
}

async function checkPage(url: string): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new CliError(`cannot open the page ${url} (status ${response.status}): ${text}`);
}
