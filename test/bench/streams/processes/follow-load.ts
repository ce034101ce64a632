import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FollowLoadRequest, FollowLoadResult } from '../follower-rates.ts';
import { MessageCounter } from '../message-counter.ts';

/**
 * Starts a run that pauses, follows it with many sockets, sends the decision, and waits until all sockets are closed.
 * `follow-load.ts <FollowLoadRequest as JSON>`; prints a FollowLoadResult.
 */
const { url, key, graphId, followers } = JSON.parse(process.argv[2] ?? '') as FollowLoadRequest;
const base = `${url}/invocations/v1`;
const authorization = `Bearer ${key}`;

interface Asked {
  execution_id: string;
  pause_id?: string;
}

async function post(to: string, body: object): Promise<unknown> {
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
  const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${to}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

interface Follower {
  socket: Socket;
  counter: MessageCounter;
  /** Resolves with the number of messages once the service closes the socket after the last event. */
  ended: Promise<number>;
}

async function follow(executionId: string): Promise<Follower> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `GET /invocations/v1/debug-stream?session_id=${executionId} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const rest = await bodyAfterHead(socket);
  const counter = new MessageCounter();
  counter.add(rest);
  const ended = new Promise<number>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      counter.add(chunk);
      if (counter.closeCode === undefined) return;
      if (counter.closeCode === 1000) resolve(counter.count);
      else reject(new Error(`a follower was closed with ${counter.closeCode}`));
      socket.destroy();
    });
    socket.on('close', () => reject(new Error('a follower was lost')));
  });
  return { socket, counter, ended };
}

/** Returns the bytes after the response to the upgrade. */
async function bodyAfterHead(socket: Socket): Promise<Buffer> {
  let received = Buffer.alloc(0);
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
    const at = received.indexOf('\r\n\r\n');
    if (at === -1) continue;
    if (!received.subarray(0, at).includes(' 101 ')) throw new Error(received.toString());
    return received.subarray(at + 4);
  }
}

// Each run has a different input, because the same input would return the same run.
const input = { text: randomBytes(16).toString('hex') };
const invoked = await post(`${base}/flows/invoke`, { graph_id: graphId, wait: true, input });
const { execution_id: executionId, pause_id: pauseId } = invoked as Asked;
if (pauseId === undefined) throw new Error(JSON.stringify(invoked));
const history = await fetch(`${base}/executions/${executionId}/events?limit=1000`, {
  headers: { Authorization: authorization },
});
const { events: replayed } = (await history.json()) as { events: unknown[] };
const all: Follower[] = [];
for (let opened = 0; opened < followers; opened += 1) all.push(await follow(executionId));
// `SESSION_READY` and the past events.
const before = 1 + replayed.length;
while (all.some(({ counter }) => counter.count < before))
  await new Promise((resolve) => setImmediate(resolve));

const begin = performance.now();
await post(`${base}/flows/${executionId}/resume`, { pause_id: pauseId, value: { text: 'go' } });
const counts = await Promise.all(all.map(({ ended }) => ended));
const seconds = (performance.now() - begin) / 1_000;
const events = (counts[0] ?? 0) - before;
if (counts.some((count) => count !== counts[0])) throw new Error('a follower has missed events');
const result: FollowLoadResult = { events, eventsPerSecond: (events * followers) / seconds };
process.stdout.write(JSON.stringify(result), () => process.exit());
