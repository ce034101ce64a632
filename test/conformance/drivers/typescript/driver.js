// The TypeScript SDK's driver: see test/conformance/README.md. Runs in the folder of the archive, upon its sources.
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { createDriver } from './respond.js';
import * as sdk from './src/index.ts';

const respond = createDriver(sdk, (value) => inspect(value, { depth: 10, showHidden: true }));

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await respond(JSON.parse(line)))}\n`);
