import type { AddressInfo } from 'node:net';
import SqliteConnection from 'better-sqlite3';
import Koa from 'koa';
import { systemClock } from '../../../../service/clock.ts';
import { base64Of } from '../../../../service/engine/journal/codec.ts';
import { createIds } from '../../../../service/ids.ts';
import { createBatcher } from '../../../../service/store/batcher.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { sqliteFile } from '../../../../service/store/sqlite-file.ts';
import { prepareConnection } from '../../../../service/store/sqlite-connection.ts';
import { createStepCall } from '../step-call.ts';

/**
 * Executes durable runs without the service: a Koa handler that makes the same calls and writes the same journal
 * entries, with the same group commit and fsync. It has no keys, quotas, idempotency, executions, graphs, message
 * checks or recovery. `bare-runs.ts <endpoint> <data folder>`; prints its URL, which accepts `POST /<steps>`.
 */
const [endpoint = '', dataDir = ''] = process.argv.slice(2);
const call = createStepCall(endpoint);
const ids = createIds(systemClock);
// Creates the tables.
await (await openDatabase({ dataDir, sync: 'full' })).close();
const connection = new SqliteConnection(sqliteFile(dataDir));
prepareConnection(connection, 'full');
const append = connection.prepare(
  'insert into journal (tenant_id, execution_id, seq, body, at) values (?, ?, ?, ?, ?) on conflict do nothing',
);
const appendAll = connection.transaction((rows: readonly Row[]) => {
  for (const { executionId, seq, body } of rows) append.run('bare', executionId, seq, body, Date.now());
});

interface Row {
  executionId: string;
  seq: number;
  body: string;
}

const journal = createBatcher<Row, undefined>({
  lanes: 1,
  batchSize: 500,
  run: (rows) => {
    appendAll.immediate(rows);
    return Promise.resolve(rows.map(() => undefined));
  },
});

async function run(steps: number, given: Uint8Array): Promise<Uint8Array> {
  const executionId = ids.executionId();
  const write = (seq: number, entries: object[]): Promise<undefined> => {
    const stamped = entries.map((entry) => ({ ...entry, id: ids.ulid(), at: Date.now() }));
    return journal.push({ executionId, seq, body: JSON.stringify(stamped) });
  };
  const started = (step: number, input: Uint8Array): object => ({
    type: 'NODE_STARTED',
    step,
    node: `n${step}`,
    branch: executionId,
    input: { base64: base64Of(input) },
  });
  let message = given;
  await write(0, [{ type: 'admitted', config: {} }, started(0, message)]);
  for (let step = 0; step < steps; step += 1) {
    message = await call({ executionId, number: step, input: message });
    const output = { base64: base64Of(message) };
    const completed = { type: 'NODE_COMPLETED', step, node: `n${step}`, branch: executionId, output };
    const edge = {
      type: 'EDGE_EVALUATED',
      edge: `e${step}`,
      node: `n${step}`,
      branch: executionId,
      conditionPass: true,
      adapterApplied: false,
    };
    const last = step === steps - 1;
    await write(
      step + 1,
      last ? [completed, { type: 'FLOW_COMPLETED', output }] : [completed, edge, started(step + 1, message)],
    );
  }
  return message;
}

const app = new Koa();
app.use(async (ctx) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) chunks.push(chunk);
  const output = await run(Number(ctx.path.slice(1)), Buffer.concat(chunks));
  ctx.body = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
