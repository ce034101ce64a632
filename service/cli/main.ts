import { runProgram } from './program.ts';

// A closed pipe (`svc key list | head -1`) ends the command without an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

process.exitCode = await runProgram(process, process.argv.slice(2));
