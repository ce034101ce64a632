// Prints the path of every test file, longest first: `mocha --parallel` starts them in this order.
import { globSync } from 'node:fs';
import path from 'node:path';
import { longestFirst } from './test-seconds.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const files = globSync('test/**/*.test.ts', { cwd: projectRoot });
process.stdout.write(`${longestFirst(files).join('\n')}\n`);
