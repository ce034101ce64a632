import { runProgram } from './program.ts';

// A reader that went away (`svc key list | head -1`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runProgram(process, process.argv.slice(2));
