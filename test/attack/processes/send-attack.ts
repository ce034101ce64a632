import { request as httpRequest, Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Attack,
  AttackRequest,
  AttackResult,
  AttackTarget,
  FloodAttack,
  RequestAttack,
  StallAttack,
} from '../attack.ts';
import { attacks } from '../attacks.ts';

/**
 * Attacks a service for some seconds: `send-attack.ts <id> <AttackTarget as JSON> <seconds>`. Prints `ready` when all bodies have been
 * created, starts at the first line of stdin, and prints an AttackResult. Its address is 127.0.0.2, so that limits per address apply
 * to the attacker alone.
 */
const [id = '', targetJson = '', seconds = ''] = process.argv.slice(2);
const target = JSON.parse(targetJson) as AttackTarget;
const localAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
const { hostname, port } = new URL(target.url);
const answers: Record<string, number> = {};
let sent = 0;

const attack = attacks.find((each) => each.id === id);
if (!attack) throw new Error(`no attack ${id}`);
const start = prepare(attack);
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const startedAt = performance.now();
const cpu = process.cpuUsage();
const endsAt = startedAt + Number(seconds) * 1_000;
await start();
const { user, system } = process.cpuUsage(cpu);
const result: AttackResult = {
  sent,
  answers,
  cores: (user + system) / 1_000 / (performance.now() - startedAt),
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());

function prepare(attack: Attack): () => Promise<void> {
  switch (attack.kind) {
    case 'requests': {
      const make = attack.prepare(target);
      return () => sendRequests(attack, make);
    }
    case 'flood':
      return () => flood(attack);
    case 'stall':
      return () => stall(attack);
  }
}

/** Sends as many requests as the rate allows every 20 ms. */
async function sendRequests(
  { perSecond, atOnce }: RequestAttack,
  make: (n: number) => AttackRequest,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let open = 0;
  let leftOut = 0;
  while (performance.now() < endsAt) {
    const due = Math.ceil(((performance.now() - startedAt) / 1_000) * perSecond) - leftOut;
    for (let n = sent; n < due && open < atOnce; n += 1) {
      open += 1;
      sent += 1;
      void send(make(n), agent).then((answer) => {
        open -= 1;
        count(answer);
      });
    }
    // Requests that were left out are not sent later, beyond the rate.
    leftOut += due - sent;
    await pause(20);
  }
  agent.destroy();
}

function send({ method, path, key = 'full', body }: AttackRequest, agent: Agent): Promise<string> {
  const bearer = { full: target.key, app: target.appKey, none: undefined }[key];
  return new Promise((resolve) => {
    const call = httpRequest({
      ...{ agent, hostname, port, path, method, localAddress },
      headers: {
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        }),
      },
    });
    call.on('response', (answer) => {
      answer.resume();
      answer.on('close', () => resolve(String(answer.statusCode)));
    });
    call.on('error', () => resolve('error'));
    call.end(body);
  });
}

async function flood({ connections, request }: FloodAttack): Promise<void> {
  const sockets = new Set<Socket>();
  const open = (): void => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    sockets.add(socket);
    const next = (): void => {
      sent += 1;
      socket.write(request);
    };
    socket.on('connect', next);
    socket.on('data', (bytes) => {
      // The status line of a response, which arrives in one piece.
      if (bytes.subarray(0, 7).toString('latin1') === 'HTTP/1.')
        count(bytes.subarray(9, 12).toString('latin1'));
      if (performance.now() < endsAt) next();
    });
    socket.on('error', () => count('error'));
    socket.on('close', () => {
      sockets.delete(socket);
      if (performance.now() < endsAt) setTimeout(open, 10);
    });
  };
  for (let n = 0; n < connections; n += 1) open();
  await pause(endsAt - performance.now());
  for (const socket of sockets) socket.destroy();
}

async function stall({ connections, opensPerSecond, heads }: StallAttack): Promise<void> {
  const sockets = new Set<Socket>();
  const open = (): void => {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    sockets.add(socket);
    const head = heads[sent % heads.length] ?? '';
    sent += 1;
    socket.on('connect', () => socket.write(head));
    socket.on('data', (bytes) => count(bytes.subarray(9, 12).toString('latin1')));
    socket.on('error', () => count('error'));
    socket.on('close', () => sockets.delete(socket));
  };
  while (performance.now() < endsAt) {
    for (let n = 0; n < opensPerSecond / 20 && sockets.size < connections; n += 1) open();
    await pause(50);
  }
  answers.open = sockets.size;
  for (const socket of sockets) socket.destroy();
}

function count(answer: string): void {
  answers[answer] = (answers[answer] ?? 0) + 1;
}
