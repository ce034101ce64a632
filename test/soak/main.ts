import { showProgress } from './progress.ts';
import { type SoakOptions, readOptions } from './options.ts';
import { report } from './report.ts';
import { soak } from './soak.ts';

/**
 * `npm run soak [-- --minutes 10] [--database sqlite|postgres] [--replicas 2] [--seed N] [--harm kill,freeze | none]`
 */
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function run(options: SoakOptions): Promise<void> {
  const { seconds, database, replicas, seed, harms } = options;
  say(
    `soak: ${seconds} s on ${database}, ${replicas} replicas, seed ${seed}, harm: ${harms.join(', ') || 'none'}`,
  );
  let endProgress = (): void => undefined;
  const { history, violations, folder } = await soak(options, (growing, logs) => {
    say(`logs: ${logs}`);
    endProgress = showProgress(growing, seconds);
  }).finally(() => endProgress());
  say(report(history, violations));
  if (folder === undefined) return;
  say(`\nlogs and history: ${folder}; harms and requests in history.json`);
  process.exitCode = 1;
}

// The `exit` handlers kill all started processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`soak: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
// The hooks of the PostgreSQL package would end the process with 0.
process.exit();
