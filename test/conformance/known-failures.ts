import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const schema = z.record(z.string(), z.array(z.string()));

/** Known failures, as `<group>: <name>` by language; empty on main. */
export function readKnownFailures(): Record<string, string[]> {
  return schema.parse(parse(readFileSync(path.join(import.meta.dirname, 'known-failures.yaml'), 'utf8')));
}
