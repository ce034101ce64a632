import { runProgram } from './program.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A closed pipe (`svc key list | head -1`) ends the command without an error.
    if (error.code === 'EPIPE') process.exit();
    if (stream === process.stdout) process.stderr.write(`svc: cannot write the result: ${error.message}\n`);
    process.exit(1);
  });
}

process.exitCode = await runProgram(process, process.argv.slice(2));
