// Runs npm scripts at the same time, and prints the output of each in one piece: `run-checks.ts format:check lint types`.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const checks = process.argv.slice(2);

const results = await Promise.all(checks.map(run));
process.exitCode = results.every((code) => code === 0) ? 0 : 1;

async function run(name: string): Promise<number> {
  const started = performance.now();
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? 1));
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  process.stdout.write(`${stdout}${stderr}${name}: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s\n`);
  return code;
}
