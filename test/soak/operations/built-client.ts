import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { download } from '../load/download.ts';
import { askUntilAnswered, newId, type SoakContext } from '../load/soak-context.ts';

const languages = ['csharp', 'go', 'java', 'python', 'rust', 'typescript', 'typescript-browser'];

/** Time limit for builds. A fault may kill their replica or make the database unavailable. */
const buildMs = 150_000;

interface Build {
  version: number;
  language: string;
  status: string;
  error?: string;
}

/** Builds SDKs of a client, downloads them, and deletes the client. */
export async function builtClient(context: SoakContext): Promise<void> {
  const { choose, tenant } = context;
  const made = await post(context, '/api/v1/clients', { name: `Soak ${newId()}` }, [201, 409]);
  // 409 if an earlier attempt has created the client.
  if (made?.status !== 201) return;
  const path = `/api/v1/clients/${(made.body as { id: string }).id}`;
  const members = [
    { type: 'node', package: 'acme/soak-steps', node_name: 'Work' },
    { type: 'flow', artifact_id: tenant.graphs.chain, alias: 'chain' },
  ];
  // 409 if an earlier attempt has added the member.
  for (const member of members) if (!(await post(context, `${path}/members`, member, [201, 409]))) return;
  const wanted = new Set([choose.pick(languages), choose.pick(languages)]);
  const building = await post(context, `${path}/build`, { languages: [...wanted] }, [202]);
  if (building?.status !== 202) return;
  for (const { version, language, status, error = '' } of await endedBuilds(context, path)) {
    const archive = `${path}/versions/${version}/download?language=${language}`;
    if (status !== 'succeeded') throw new Error(`${archive} is ${status} ${error}`);
    const got = await download(context, archive);
    if (got) requireWhole(archive, got);
  }
  // 404 if an earlier attempt has deleted the client.
  await askUntilAnswered(context, { method: 'DELETE', path, expected: [204, 404] });
  await askUntilAnswered(context, { path, expected: [404] });
}

async function post(context: SoakContext, path: string, body: object, expected: readonly number[]) {
  const { answer } = await askUntilAnswered(context, { method: 'POST', path, body, expected });
  return answer;
}

/** Returns the builds of a client once none is pending, or the time is up. */
async function endedBuilds(context: SoakContext, client: string): Promise<Build[]> {
  const deadline = Date.now() + buildMs;
  for (;;) {
    const { answer } = await askUntilAnswered(context, { path: `${client}/versions`, expected: [200] });
    const builds = answer?.status === 200 ? (answer.body as Build[]) : [];
    if (!builds.some(({ status }) => status === 'pending') || Date.now() > deadline) return builds;
    await pause(1_000);
  }
}

/**
 * Checks a downloaded archive.
 * @throws Error if an archive differs from its ETag, or cannot be read
 */
function requireWhole(archive: string, { bytes, etag }: { bytes: Uint8Array; etag: string }): void {
  const checksum = createHash('sha256').update(bytes).digest('hex');
  if (!etag.includes(checksum))
    throw new Error(`${archive} has the ETag ${etag}, and the SHA-256 ${checksum}`);
  if (Object.keys(unzipSync(bytes)).length === 0) throw new Error(`${archive} is empty`);
}
