import { EventReader, requestText } from '../event-reader.ts';
import type { SplitLoadRequest } from '../reader-rates.ts';

/**
 * Reads one split stream with many readers, and uploads its input. `split-load.ts <SplitLoadRequest as JSON>`; prints
 * frames per second.
 */
const { url, key, readers, frames } = JSON.parse(process.argv[2] ?? '') as SplitLoadRequest;
const authorization = `Bearer ${key}`;

interface Split {
  input_url: string;
  output_url: string;
}

async function post(to: string, type: string, body: string): Promise<unknown> {
  const headers = { Authorization: authorization, 'Content-Type': type };
  const answer = await fetch(to, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${to}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

const reference = JSON.stringify({ node_ref: 'bench/echo/1.0.0/Make' });
const created = (await post(`${url}/invocations/v1/nodes/streams`, 'application/json', reference)) as Split;
const request = requestText('GET', created.output_url, { key });
const reading: Promise<{ frames: number }>[] = [];
for (let opened = 0; opened < readers; opened += 1) {
  const reader = await EventReader.open(url);
  await new Promise<void>((resolve, reject) => {
    const read = reader.read(request, resolve);
    read.catch(reject);
    reading.push(read);
  });
}
const begin = performance.now();
const upload = post(created.input_url, 'application/x-ndjson', `{"text":"${frames}"}\n`);
for (const read of await Promise.all(reading)) {
  if (read.frames !== frames) throw new Error(`${read.frames} frames instead of ${frames}`);
}
const seconds = (performance.now() - begin) / 1_000;
await upload;
process.stdout.write(JSON.stringify((readers * frames) / seconds), () => process.exit());
