import { setTimeout as pause } from 'node:timers/promises';
import { expectedBy } from '../deployment/soak-tenants.ts';
import { anyReplica, authorization, reasonOf, type SoakContext } from './soak-context.ts';

/** Maximum attempts of a download, with a pause of at least half a second between two of them. */
const attempts = 150;

/** Time limit of one attempt, in milliseconds. */
const patienceMs = 90_000;

/**
 * Downloads a file, and repeats the request until the file is available. Undefined if the service refuses it, or after
 * the last attempt.
 */
export async function download(
  context: SoakContext,
  path: string,
): Promise<{ bytes: Uint8Array; etag: string } | undefined> {
  const { history, operation, tenant } = context;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const replica = anyReplica(context);
    const expected = expectedBy(tenant, [200]);
    const seen = { operation, request: `GET ${path}`, replica: replica.name, from: Date.now(), expected };
    try {
      const response = await fetch(replica.url + path, {
        headers: authorization(context),
        signal: AbortSignal.timeout(patienceMs),
      });
      const { status } = response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const text = status === 200 ? undefined : new TextDecoder().decode(bytes);
      history.answers.push({ ...seen, to: Date.now(), status, ...(text !== undefined && { text }) });
      if (status === 200) return { bytes, etag: response.headers.get('etag') ?? '' };
      if (status < 500) return undefined;
    } catch (error) {
      history.answers.push({ ...seen, to: Date.now(), text: reasonOf(error) });
    }
    await pause(500 + context.choose.below(1_000));
  }
  return undefined;
}
