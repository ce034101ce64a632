import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { listLanguages } from '../../service/languages/load-language.ts';
import { type ArchiveTimes, measureArchives } from './archive-bench.ts';
import { measureArchiveGrowth } from './archive-growth.ts';
import { measureBuildWait } from './build-bench.ts';
import { measureCommands } from './command-bench.ts';
import { archiveSection, callTable, commandSection, machine, specTable } from './report.ts';
import { bundleTable } from './browser/bundle-table.ts';
import { measureBundles } from './browser/measure-bundles.ts';
import { measureParts } from './browser/measure-parts.ts';
import { type CallRates, measureCalls } from './call-bench.ts';
import { replaceSections } from './replace-sections.ts';
import { measureNeighbours } from './neighbours/neighbours-bench.ts';
import { neighboursTable } from './neighbours/neighbours-table.ts';
import { measurePauses } from './pauses/pauses-bench.ts';
import { pausesTable } from './pauses/pauses-table.ts';
import { measureWaiting } from './pauses/waiting-runs.ts';
import { measureGrowth } from './runs/growth-bench.ts';
import { measureRuns } from './runs/run-bench.ts';
import { runTable } from './runs/run-table.ts';
import { measureFirstBuilds } from './sdks/build-times.ts';
import { measurePythonImport } from './sdks/python-import.ts';
import { measureSdks } from './sdks/measure-sdks.ts';
import { listSdkBenches } from './sdks/sdk-bench.ts';
import { sdkTable } from './sdks/sdk-table.ts';
import { measureSpecs } from './spec-bench.ts';
import { measureStreams } from './streams/streams-bench.ts';
import { streamsTable } from './streams/streams-table.ts';

/**
 * `npm run bench [-- --write] [--quick] [--only
 * archives|browser|calls|commands|neighbours|pauses|runs|sdks|specs|streams] [--languages a,b]`
 *
 * For the neighbours, `--against <another checkout>` also measures that checkout, and `--attacks a,b` selects attacks.
 */
const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: '' },
    against: { type: 'string' },
    attacks: { type: 'string', default: '' },
  },
});

const sectionNames = [
  'archives',
  'browser',
  'calls',
  'commands',
  'neighbours',
  'pauses',
  'runs',
  'sdks',
  'specs',
  'streams',
];
if (flags.only !== '' && !sectionNames.includes(flags.only)) {
  process.stderr.write(`--only takes one of ${sectionNames.join(', ')}, not "${flags.only}"\n`);
  process.exit(2);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function archives(): Promise<string> {
  const languages = flags.languages === '' ? await listLanguages() : flags.languages.split(',');
  const rows: ArchiveTimes[] = [];
  for (const members of [1, 10, 50, 200]) {
    say(`archives: ${members} members`);
    rows.push(...(await measureArchives(members, languages, flags.quick ? 300 : 2_000)));
  }
  say('archives: 20 and 200 members in turn');
  const growth = await measureArchiveGrowth(languages, flags.quick ? 3 : 10);
  say('archives: as a tenant waits for them');
  const wait = await measureBuildWait(50, languages, flags.quick ? 3 : 15);
  return archiveSection(rows, growth, wait);
}

async function calls(): Promise<CallRates> {
  say('node calls');
  return measureCalls({ seconds: flags.quick ? 3 : 10, rounds: flags.quick ? 1 : 3, say });
}

async function commands(): Promise<string> {
  return commandSection(await measureCommands(flags.quick ? 3 : 11, say));
}

async function runs(): Promise<string> {
  say('runs of flows');
  // Many short rounds, because other load on the machine affects a long round as much as a short one.
  const options = flags.quick
    ? { seconds: 3, warmUpSeconds: 3, rounds: 1, say }
    : { seconds: 4, warmUpSeconds: 20, rounds: 9, say };
  const chains = await measureRuns(options);
  return runTable(chains, await measureGrowth(options, flags.quick ? 5_000 : 30_000));
}

async function neighbours(): Promise<string> {
  say('neighbours of attackers');
  const only = flags.attacks === '' ? [] : flags.attacks.split(',');
  return neighboursTable(
    await measureNeighbours({ isQuick: flags.quick, against: flags.against, only, say }),
  );
}

async function pauses(): Promise<string> {
  say('pauses of runs');
  const options = flags.quick
    ? { seconds: 2, warmUpSeconds: 2, rounds: 1, say }
    : { seconds: 4, warmUpSeconds: 15, rounds: 9, say };
  const measured = await measurePauses(options);
  return pausesTable(measured, await measureWaiting(flags.quick ? 5_000 : 100_000, say));
}

async function streams(): Promise<string> {
  say('streams');
  const options = flags.quick
    ? { seconds: 2, warmUpSeconds: 2, rounds: 1, say }
    : { seconds: 3, warmUpSeconds: 10, rounds: 9, say };
  return streamsTable(await measureStreams(options));
}

async function specs(): Promise<string> {
  say('OpenAPI documents');
  return specTable(await measureSpecs([1, 10, 50, 200], flags.quick ? 15 : 60));
}

async function sdks(): Promise<string> {
  const languages = flags.languages === '' ? listSdkBenches() : flags.languages.split(',');
  const times = await measureSdks({ languages, seconds: flags.quick ? 0.5 : 8, say });
  const importMs = await measurePythonImport(flags.quick ? 5 : 20);
  return sdkTable(times, importMs, await measureFirstBuilds(flags.quick ? 1 : 3, languages, say));
}

async function bundles(): Promise<string> {
  say('what pages load');
  return bundleTable(await measureBundles(say), await measureParts());
}

const wanted = (section: string): boolean => flags.only === '' || flags.only === section;
const restateInstalled = existsSync(
  path.resolve(import.meta.dirname, 'runs/node_modules/@restatedev/restate-sdk'),
);
const needsRestate = 'runs and pauses need their peer: run "npm ci --prefix test/bench/runs"';
if (!restateInstalled && (wanted('runs') || wanted('pauses'))) {
  // The other sections do not depend on it.
  const isAlone = flags.only === 'runs' || flags.only === 'pauses';
  say(isAlone ? needsRestate : `runs and pauses: left out, ${needsRestate}`);
  if (isAlone) process.exit(1);
}
const sections = [
  '# Benchmarks',
  '`npm run bench -- --write` wrote this page. Every ratio compares figures that were measured alternately in the same run.',
  machine(),
  ...(wanted('archives') ? [await archives()] : []),
  ...(wanted('specs') ? [await specs()] : []),
  ...(wanted('calls') ? [callTable(await calls())] : []),
  ...(wanted('commands') ? [await commands()] : []),
  ...(wanted('neighbours') ? [await neighbours()] : []),
  ...(wanted('sdks') ? [await sdks()] : []),
  ...(wanted('browser') ? [await bundles()] : []),
  ...(wanted('pauses') && restateInstalled ? [await pauses()] : []),
  ...(wanted('streams') ? [await streams()] : []),
  ...(wanted('runs') && restateInstalled ? [await runs()] : []),
];
const page = `${sections.join('\n\n')}\n`;
process.stdout.write(page);
if (flags.write) {
  const file = path.resolve(import.meta.dirname, '../../docs/benchmarks.md');
  const written = await readFile(file, 'utf8').catch(() => '');
  const style = await prettier.resolveConfig(file);
  await writeFile(file, await prettier.format(replaceSections(written, page), { ...style, filepath: file }));
  say('written to docs/benchmarks.md');
}
