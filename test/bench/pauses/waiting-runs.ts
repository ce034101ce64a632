import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../../service/store/open-database.ts';
import { claimRuns } from '../../../service/store/run-claims.ts';
import { copyPausedRun } from '../../support/paused-copies.ts';
import { compileFlow, prepareTenant } from '../runs/chain-flow.ts';
import { createChildProcesses } from '../runs/child-processes.ts';
import { startService } from '../runs/run-bench.ts';
import { median } from '../statistics.ts';

/** The cost of a service with a number of runs that wait for a decision. */
export interface WaitingCost {
  waiting: number;
  /** From the start of the process until it serves, milliseconds. */
  startMs: number;
  /** Resident memory when idle, in MB; 0 if the system does not report it. */
  residentMb: number;
  /** One search for runs without a replica, in milliseconds. */
  tickMs: number;
}

/** An idle process returns memory to the system within the first seconds. */
const restMs = 15_000;
const ticks = 50;

/** Measures a service without waiting runs, and then one with many. */
export async function measureWaiting(count: number, say: (text: string) => void): Promise<WaitingCost[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-waiting-'));
  const container = createChildProcesses();
  try {
    const endpoint = await container.script('../pauses/processes/asking-container.ts', []);
    const { tenantId, key } = await prepareTenant({ dataDir: folder }, endpoint);
    const run = await pauseOne(folder, key);
    const none = await measure(folder, 1);
    const db = await openDatabase({ dataDir: folder, sync: 'off' });
    await copyPausedRun(db, { tenantId, ...run }, count);
    await db.close();
    const costs = [none, await measure(folder, count)];
    for (const cost of costs) say(JSON.stringify(cost));
    return costs;
  } finally {
    await container.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the run that the others are copies of, and waits until it pauses. */
async function pauseOne(folder: string, key: string): Promise<{ executionId: string; pauseId: string }> {
  const children = createChildProcesses();
  try {
    const url = await startService(children, folder);
    const node = { id: 'ask', package: 'bench/echo', version: '1.0.0', node_name: 'Echo' };
    const document = { name: 'Ask', entry: 'ask', terminal: 'ask', nodes: [node], edges: [] };
    const graphId = await compileFlow(url, key, document);
    const answer = await fetch(`${url}/invocations/v1/flows/invoke`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ graph_id: graphId, wait: true, input: {} }),
    });
    const { execution_id: executionId = '', pause_id: pauseId = '' } = (await answer.json()) as Record<
      string,
      string
    >;
    if (pauseId === '') throw new Error('the run does not wait');
    return { executionId, pauseId };
  } finally {
    await children.stop();
  }
}

async function measure(folder: string, waiting: number): Promise<WaitingCost> {
  const children = createChildProcesses();
  try {
    const begin = performance.now();
    await startService(children, folder);
    const startMs = performance.now() - begin;
    await pause(restMs);
    const residentMb = await children.residentMb();
    await children.stop();
    return { waiting, startMs, residentMb, tickMs: await tickOf(folder) };
  } finally {
    await children.stop();
  }
}

async function tickOf(folder: string): Promise<number> {
  const db = await openDatabase({ dataDir: folder });
  try {
    const times: number[] = [];
    for (let tick = 0; tick < ticks; tick += 1) {
      const begin = performance.now();
      const claimed = await claimRuns(db.knex, { replica: 'bench', dead: [], now: Date.now(), limit: 50 });
      times.push(performance.now() - begin);
      if (claimed.length > 0) throw new Error('a run that waits was claimed');
    }
    return median(times);
  } finally {
    await db.close();
  }
}
